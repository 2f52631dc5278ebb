"""What is written of an address: never who logs in, nor a token, wherever in it that is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.foreign_text import hide_password, make_tag, redact, show

SECRET = "Hunter2Hunter"
WRITTEN = {
    "rtsp://ann:secret@cam.local:554/1": "rtsp://cam.local:554/1",
    "HTTP://a:b@c": "http://c",
    "rtsp://a:b%40c@d/e": "rtsp://d/e",
    "http://admin:p@ss@cam/x": "http://cam/x",
    "rtsp://ann:pa/ss@cam/live": "rtsp://cam/live",
    "rtsp://ann:pa?ss@cam/live": "rtsp://cam/live",
    "rtsp://ann:pa#ss@cam/live": "rtsp://cam/live",
    "rtsp://u:p@[fe80::1]:8554/live": "rtsp://[fe80::1]:8554/live",
    "http://cam/video.cgi?user=admin&pwd=hunter2": "http://cam/video.cgi",
    "http://cam.local:80/x?pwd=p@ss": "http://cam.local:80/x",
    "http://cam/x#access_token=a": "http://cam/x",
    "rtsp://cam:554/user=admin_password=hunter2_channel=1.sdp": "rtsp://cam:554/…",
    "rtsp://cam/admin:hunter2/live": "rtsp://cam/…/live",
    "rtsp://cam/live;pwd=x": "rtsp://cam/live",
    "rtsp://cam/live/8f3a9c2e11": "rtsp://cam/live/…",
    "rtsp://cam/%75ser%3Dadmin": "rtsp://cam/…",
    "rtsp://cam/Streaming/Channels/101": "rtsp://cam/Streaming/Channels/101",
    "rtsp://cam/h264Preview_01_main": "rtsp://cam/h264Preview_01_main",
    "rtsp://cam/cam/realmonitor?channel=1&subtype=0": "rtsp://cam/cam/realmonitor",
    "rtsp://ann:secret": "rtsp://…",  # which of them is the host?
    "rtsp://ann:12/34@cam/x": "rtsp://…",
    "rtsp://ann:p@s/s@cam/x": "rtsp://…",
    "rtsp://ann%3Asecret%40cam/x": "rtsp://…",
    "rtsp:\\\\a:b@cam\\live": "rtsp://cam/live",
    "rtsp://ann:pa&ss@cam/live": "rtsp://cam/live",
    "rtsp://ann;bo:secret@cam/live": "rtsp://cam/live",
    "ann:secret@cam/live": "cam/live",
    "cam/x?pwd=secret": "cam/x",
    "/dev/video0": "/dev/video0",
    "film of ann.mp4": "film of ann.mp4",
}  # fmt: skip
PLACES = (
    "rtsp://ann:{}@cam/live", "rtsp://{}@cam/live", "rtsp://{}:x@cam/live", "RTSPS://ann:{}@cam.local:322/live",
    "rtsp://ann:x@{}@cam/live", "rtsp://ann:a/{}@cam/live", "rtsp://ann:a?{}@cam", "rtsp://ann:a#{}@cam",
    "rtsp://ann:a@b/{}@cam/live", "rtsp://ann:a:{}:b@cam", "rtsp://ann:%41{}%40@cam", "rtsp://ann%3A{}%40cam/",
    "rtsp://ann:{}", "rtsp://ann:{}/live", "rtsp://cam:{}/live", "rtsp://cam/{}", "rtsp://cam/live/{}",
    "rtsp://cam/live/{}/1", "rtsp://cam/user=ann_password={}_channel=1.sdp", "rtsp://cam/ann:{}/live",
    "rtsp://cam/live;pwd={}", "rtsp://cam/live&pwd={}", "rtsp://cam/?{}", "rtsp://cam/x?pwd={}", "rtsp://cam?u={}",
    "rtsp://cam/x?a=1&token={}&b=2", "rtsp://cam/x#{}", "rtsp://[::1]:554/{}", "rtsp://ann:{}@[::1]/x",
    "ann:{}@cam/live", "//ann:{}@cam/live", "rtsp:/ann:{}@cam/live", "rtsp:ann:{}@cam", "rtps://ann:{}@cam/x",
    "rtsp:\\\\ann:{}@cam\\live", "rtsp:///ann:{}@cam", "rtsp://cam/x?u=http://ann:{}@b/",
    "rtsp://a:x y{}@cam/",
    "rtsp://a:x'{}@cam/", 'rtsp://a:x"{}@cam/', "rtsp://a:<{}>@cam/", "rtsp://a:x://{}@cam/",
    "cam/?password={}",
    "rtsp://a:x\n{}@cam/", "rtsp://a:x\t{}@cam/", "rtsp://a:\u202e{}@cam/", "rtsp://ä:{}@cam/", "rtsp://cam/@{}",
    "rtsp%3A%2F%2Fann%3A{}%40cam%2Flive", "ann%3a{}%40cam", "?u=rtsp%3a%2f%2fcam%2f{}", "rtsp://a&b:{}@cam/live",
)  # fmt: skip


@pytest.mark.parametrize(("address", "written"), WRITTEN.items())
def test_address_keeps_scheme_host_port_and_plain_path(address: str, written: str) -> None:
    assert hide_password(address) == written
    assert hide_password(written) == written


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "said", ["{}", "'{}'", "There is no '{}': give a video.", "[rtsp @ 0x5] {}: Unauthorized", '("{}", 3)']
)
def test_a_secret_is_hidden_wherever_it_is(place: str, said: str) -> None:
    address = place.format(SECRET)
    assert SECRET not in hide_password(address)
    assert SECRET not in show(said.format(address)), "quoted as it is"
    assert SECRET not in redact(said.format(repr(address)[1:-1])), "as Python quotes it"


SIGNS = st.text(st.sampled_from("ab1:@/?#&;=%.[]\\…"), max_size=12)


@given(user=SIGNS, before=SIGNS, after=SIGNS, host=st.sampled_from(["cam", "cam.local:554", "[::1]"]))
@example(user="", before="", after="@", host="cam")
def test_a_password_of_any_signs_is_hidden(user: str, before: str, after: str, host: str) -> None:
    """In an address that a player would take: with a host behind the last @ and a path behind that."""
    address = f"rtsp://{user}:{before}{SECRET}{after}@{host}/live"
    for written in (hide_password(address), show(f"No '{address}': look.")):
        assert SECRET not in written


@given(st.text(max_size=60))
def test_redaction_is_done_once(text: str) -> None:
    written = redact(text)
    assert redact(written) == written


@pytest.mark.parametrize(
    "text",
    [
        "No profile named 'x'. Saved: home, club.",
        "4 = 2 + 2 points",
        "tile_mm=24",
        "a@b",
        "C:/films/a.mp4",
        "陈: 3",
        "ping_hu_free=3",
        "side=2",
        "compass=1",
        "Did rtsp://cam/live, or (rtsp://cam/x), answer?",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert redact(text) == text


def test_addresses_that_are_written_alike_have_tags_that_differ_and_hold_no_password() -> None:
    salt = b"salt"
    one, other = (make_tag(f"rtsp://cam/realmonitor?channel={n}&user=ann&pwd=x", salt) for n in (1, 2))
    assert one != other
    assert one == make_tag("rtsp://bo:y@cam/realmonitor?channel=1&user=bo&pwd=z", salt), "whoever logs in"
    one, other = (make_tag(f"rtsp://cam/user=ann_password=x_channel={n}.sdp", salt) for n in (1, 2))
    assert one != other
    assert one == make_tag("rtsp://cam/user=bo_password=z_channel=1.sdp", salt)
    assert not any(
        make_tag(f"rtsp://ann:x@cam{path}", salt) for path in ("", "/", "/live", "/live/", "/?pwd=x")
    )
    assert make_tag("rtsp://cam/live/8f3a9c2e", salt) != make_tag("rtsp://cam/live/9a3a9c2e", salt)
    assert make_tag("rtsp://cam/x?channel=1", b"other") != make_tag("rtsp://cam/x?channel=1", salt)
