from __future__ import annotations

from dataclasses import replace

from bot.store import Post, PostState, Tx
from tests.store.world import NOW, begin, later


def demanded(tx: Tx, position: int = 0) -> Post:
    session = tx.session("s1") or begin(tx)
    return tx.posts.demand(
        session.place, "question", NOW, session="s1", position=position, payload={"ключ": [1]}, nonce="n1"
    )


def test_a_demanded_post_is_pending_and_comes_back_as_it_was(tx: Tx) -> None:
    post = demanded(tx)
    assert (post.state, post.message, post.payload, post.nonce) == (PostState.PENDING, None, {"ключ": [1]}, "n1")
    assert tx.posts.post(post.id) == post
    assert tx.posts.in_state(PostState.PENDING) == [post]


def test_a_post_is_sent_once(tx: Tx) -> None:
    post = demanded(tx)
    assert tx.posts.sending(post.id)
    assert not tx.posts.sending(post.id)
    assert tx.posts.sent(post.id, "77", later(seconds=1))
    sent = replace(post, state=PostState.SENT, message="77", sent_at=later(seconds=1))
    assert tx.posts.post(post.id) == sent
    assert not tx.posts.sent(post.id, "78", later(seconds=2))
    assert not tx.posts.sending(post.id)
    assert not tx.posts.again(post.id)
    assert not tx.posts.failed(post.id)
    assert tx.posts.post(post.id) == sent


def test_what_was_being_sent_when_the_program_ended_is_uncertain_and_nothing_else_is(tx: Tx) -> None:
    pending, going, sent = demanded(tx), demanded(tx, 1), demanded(tx, 2)
    tx.posts.sending(going.id)
    tx.posts.sending(sent.id)
    tx.posts.sent(sent.id, "77", NOW)
    assert tx.posts.sweep() == [replace(going, state=PostState.UNCERTAIN)]
    assert tx.posts.sweep() == []
    assert tx.posts.in_state(PostState.PENDING) == [pending]
    assert tx.posts.in_state(PostState.UNCERTAIN) == [replace(going, state=PostState.UNCERTAIN)]


def test_a_tap_proves_an_uncertain_post_sent(tx: Tx) -> None:
    post = demanded(tx)
    tx.posts.sending(post.id)
    assert tx.posts.uncertain(post.id)
    assert tx.posts.sent(post.id, None, later(hours=1))
    assert tx.posts.post(post.id) == replace(post, state=PostState.SENT, sent_at=later(hours=1))


def test_a_failed_or_uncertain_post_can_be_sent_again_with_the_same_nonce(tx: Tx) -> None:
    failed, unsure = demanded(tx), demanded(tx, 1)
    tx.posts.sending(failed.id)
    tx.posts.failed(failed.id)
    tx.posts.sending(unsure.id)
    tx.posts.uncertain(unsure.id)
    assert tx.posts.again(failed.id)
    assert tx.posts.again(unsure.id)
    assert not tx.posts.again(unsure.id)
    assert tx.posts.in_state(PostState.PENDING) == [failed, unsure]


def test_only_what_is_being_sent_can_become_uncertain(tx: Tx) -> None:
    post = demanded(tx)
    assert not tx.posts.uncertain(post.id)
    assert tx.posts.post(post.id) == post


def test_a_message_and_a_poll_lead_to_their_post(tx: Tx) -> None:
    post = demanded(tx)
    other_place = tx.place_of("telegram", "-100", at=NOW).id
    tx.posts.sent(post.id, "77", NOW, poll="p9")
    sent = tx.posts.post(post.id)
    assert sent is not None
    assert tx.posts.by_message(post.place, "77") == sent
    assert tx.posts.by_poll("p9") == sent
    assert tx.posts.by_message(other_place, "77") is None
    assert tx.posts.by_message(post.place, "78") is None
    assert tx.posts.by_poll("p8") is None


def test_where_a_chat_numbers_its_messages_anew_the_latest_is_meant(tx: Tx) -> None:
    old, new = demanded(tx), demanded(tx, 1)
    tx.posts.sent(old.id, "77", NOW)
    tx.posts.sent(new.id, "77", NOW)
    found = tx.posts.by_message(new.place, "77")
    assert found is not None
    assert found.id == new.id


def test_the_posts_of_a_session_are_found_by_position(tx: Tx) -> None:
    first, second = demanded(tx), demanded(tx, 1)
    elsewhere = tx.posts.demand(first.place, "daily", NOW)
    assert tx.posts.of_session("s1") == [first, second]
    assert tx.posts.of_session("s1", 1) == [second]
    assert elsewhere.session is None
