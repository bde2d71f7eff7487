"""What a person reads, as text."""

import pytest
import telegram
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity

from .far_end import FarEnd
from .test_pictures import png
from .text import Formatted
from .transcript import marked

# The server still sends `correct_option_id`, and python-telegram-bot 22.8 warns of it when it reads a poll.
pytestmark = pytest.mark.filterwarnings("ignore:.*correct_option_id:telegram.warnings.PTBDeprecationWarning")

SEEN = """\
А:
  /start
Tutor:
  🧪 Что выведет `print(1)`?
  **Выберите**
  [А] [Б]
  [Исходник → https://example.org/]
Tutor (pinned):
  (photo)
  схема
А (to: 🧪 Что выведет print(1)?):
  один
Tutor:
  (quiz, several answers) Что верно?
  ( ) раз: 1
  ( ) два
"""

LIVED = """\
А:
  /start
Tutor:
  Вопрос?
  [А] [Б]
* А taps [Б]
* А sees: (alert) да
Tutor (edited):
  Верно!
* deleted: Верно!
"""


async def test_a_chat_reads_as_a_person_sees_it(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    a.starts()
    buttons = [InlineKeyboardButton("А", callback_data="1"), InlineKeyboardButton("Б", callback_data="2")]
    link = InlineKeyboardButton("Исходник", url="https://example.org/")
    question = await bot.send_message(
        a.id,
        "🧪 Что выведет print(1)?\nВыберите",
        entities=[MessageEntity("code", 15, 8), MessageEntity("bold", 25, 8)],
        reply_markup=InlineKeyboardMarkup([buttons, [link]]),
    )
    gone = await bot.send_message(a.id, "исчезнет")
    await gone.delete()
    picture = await bot.send_photo(a.id, png(), caption="схема")
    await picture.pin()
    a.replies(a.chat.messages[question.message_id], "один")
    await bot.send_poll(
        a.id, "Что верно?", ["раз", "два"], type="quiz", correct_option_ids=[0], is_anonymous=False,
        allows_multiple_answers=True,
    )  # fmt: skip
    a.votes(far_end.last(a), [0])
    assert far_end.what_a_person_sees(a) == SEEN


async def test_a_chat_reads_as_it_came_about(far_end: FarEnd, bot: telegram.Bot) -> None:
    a = far_end.person("А")
    a.starts()
    buttons = [InlineKeyboardButton("А", callback_data="1"), InlineKeyboardButton("Б", callback_data="2")]
    question = await bot.send_message(a.id, "Вопрос?", reply_markup=InlineKeyboardMarkup([buttons]))
    query = a.taps(far_end.last(a), "Б")
    await question.edit_text("Верно!")
    await bot.answer_callback_query(query.id, "да", show_alert=True)
    await question.delete()
    assert far_end.what_a_person_lived(a) == LIVED


def test_marks_nest_and_blocks_stand_alone() -> None:
    text = Formatted(
        "жирный курсив\ncode\nцитата\nдве",
        [
            {"type": "bold", "offset": 0, "length": 13},
            {"type": "italic", "offset": 7, "length": 6},
            {"type": "pre", "offset": 14, "length": 4, "language": "python"},
            {"type": "blockquote", "offset": 19, "length": 10},
        ],
    )
    assert marked(text) == "**жирный _курсив_**\n```python\ncode\n```\n> цитата\n> две"
