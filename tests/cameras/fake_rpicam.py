#!/usr/bin/python3 -ISE
"""`rpicam-vid` without a camera: sends prepared pictures, and fails as the file `does` beside it says.

Each line of `does` is for one start, the last one for all later ones: what it does after some pictures. The
pictures of the file `pictures.json` are sent in turn; the file `sent` has a byte for each.
"""

import json
import sys
import time
from base64 import b64decode
from pathlib import Path

FOLDER = Path(sys.argv[0]).resolve().parent
FLAGS = {"--nopreview", "--flush", "--list-cameras"}
VALUES = {
    "--timeout", "--verbose", "--width", "--height", "--framerate", "--codec", "--quality", "--output",
    "--flicker-period",
}  # fmt: skip
LISTED = """Available cameras
-----------------
0 : imx708_wide [4608x2592 10-bit RGGB] (/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a)
    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]

"""


def fail(why: str) -> None:
    print(f"ERROR: *** {why} ***", file=sys.stderr)
    sys.exit(255)


def check_arguments() -> None:
    given = sys.argv[1:]
    while given:
        option = given.pop(0)
        if option in VALUES:
            given.pop(0)
        elif option not in FLAGS:
            fail(f"unrecognised option '{option}'")


def choose() -> list[str]:
    """What to do at this start."""
    starts = FOLDER / "starts"
    with starts.open("a") as file:
        file.write(" ".join(sys.argv[1:]) + "\n")
    number = len(starts.read_text().splitlines())
    does = (FOLDER / "does").read_text().splitlines()
    return does[min(number, len(does)) - 1].split()


def main() -> None:
    check_arguments()
    has_camera = "no-camera" not in (FOLDER / "does").read_text()
    if "--list-cameras" in sys.argv:
        print(LISTED if has_camera else "No cameras available!")
        return
    count, does, *_ = choose()
    if does == "no-camera":
        fail("no cameras available")
    if does == "in-use":
        fail("failed to acquire camera /base/axi/pcie@120000/rp1/i2c@88000/imx708@1a")
    pictures = [b64decode(each) for each in json.loads((FOLDER / "pictures.json").read_text())]
    out = sys.stdout.buffer

    sent = (FOLDER / "sent").open("ab", buffering=0)

    def send(data: bytes) -> None:
        out.write(data)
        out.flush()

    for number in range(int(count)):
        picture = pictures[number % len(pictures)]
        if does == "half":
            send(picture[: len(picture) // 2])
        elif does == "garbage":
            send(b"Recording started\n\xff\xd8\xff\xe0 \xff\xd9 \xff\xd8")
        send(picture[:-1])
        send(picture[-1:])
        sent.write(b"1")
        time.sleep(0.002)
    if does == "prints":
        while True:
            print("Dequeue timer has expired! " * 1000, file=sys.stderr)
    if does == "dies":
        fail("failed to queue request")
    time.sleep(300)


main()
