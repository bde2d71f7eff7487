"""Numbers of the Bot API, each with its source."""

TEXT = 4096
"""Code points after parsing. Source: Bot API, sendMessage.text; TDLib MessageContent.cpp, `message_text_length_max`."""

TEXT_BYTES = 1 << 15
"""UTF-8 bytes before parsing. Source: Client.cpp, `get_formatted_text`."""

CAPTION = 1024
"""Code points after parsing. Source: Bot API, sendPhoto.caption; TDLib, `message_caption_length_max`."""

ENTITIES = 100
"""Further ones are silently not shown. Source: observed by many libraries, undocumented."""

CALLBACK_DATA_BYTES = 64
"""UTF-8 bytes, at least 1. Source: Bot API 10.0, InlineKeyboardButton.callback_data."""

BUTTONS_A_ROW = 8
BUTTONS_A_MESSAGE = 100
"""Undocumented. Telegram cuts or refuses; here more is always refused."""

MARKUP_BYTES = 10_000
"""Source: the error REPLY_MARKUP_TOO_LONG; the number is from memory."""

PLACEHOLDER = 64
"""Characters, at least 1. Source: Bot API, ForceReply.input_field_placeholder."""

CALLBACK_ANSWER = 200
"""Characters. Source: Bot API, answerCallbackQuery.text; longer ones get MESSAGE_TOO_LONG."""

CALLBACK_LIFE_S = 150
"""Seconds an update with a callback query is kept. Source: Client.cpp, `add_new_callback_query`. The last moment for
an answer is undocumented; here it is the same."""

UPDATE_LIFE_S = 86_400
"""Source: Bot API, "Incoming updates are stored on the server until the bot receives them either way, but they will
not be kept longer than 24 hours"."""

UPDATES_A_BATCH = 100
LONG_POLL_S = 50
"""Source: Bot API, getUpdates; Client.cpp, `LONG_POLL_MAX_TIMEOUT`."""

QUESTION = 300
OPTION = 100
OPTIONS = 12
EXPLANATION = 200
EXPLANATION_LINE_FEEDS = 2
DESCRIPTION = 1024
OPEN_PERIOD_S = (5, 2_628_000)
"""Source: Bot API 10.0, sendPoll; TDLib MessageContent.cpp and PollOption.cpp."""

COMMANDS = 100
COMMAND = 32
COMMAND_DESCRIPTION = 256
"""Source: Bot API, setMyCommands and BotCommand; TDLib BotCommand.cpp."""

BOT_NAME = 64
BOT_DESCRIPTION = 512
BOT_SHORT_DESCRIPTION = 120
"""Source: Bot API, setMyName, setMyDescription, setMyShortDescription."""

START_PAYLOAD = 64
"""`A-Za-z0-9_-`. Source: core.telegram.org/api/links, bot links."""

SECRET_TOKEN = 256
"""`A-Za-z0-9_-`, at least 1. Source: Bot API, setWebhook.secret_token."""

DELETE_AFTER_S = 48 * 3600
"""Older messages cannot be deleted. Source: Bot API, deleteMessage."""

DOCUMENT_BYTES = 50 * 1024 * 1024
"""Source: Bot API, sendDocument.document."""

PHOTO_BYTES = 10 * 1024 * 1024
PHOTO_SIDES = 10_000
PHOTO_RATIO = 20
"""Size; width plus height; the longer side over the shorter. Source: Bot API, sendPhoto.photo."""
