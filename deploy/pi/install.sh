#!/bin/sh
# Makes a Raspberry Pi (or another 64-bit Debian machine) the machine of a table: the program starts when it is switched
# on; without a desktop it has the whole screen to itself. Run it again from a newer copy to update.
# Usage: sudo deploy/pi/install.sh [install | rollback | uninstall]
set -eu

here=$(cd "$(dirname "$0")/../.." && pwd)
folder=/opt/mahjong-companion
user=mahjong
home=/var/lib/mahjong-companion
unit=/etc/systemd/system/mahjong-companion.service
share=/usr/local/share
placed="/usr/local/bin/companion $share/applications/mahjong-companion.desktop $share/icons/hicolor/512x512/apps/mahjong-companion.png
    $unit /etc/xdg/autostart/mahjong-companion.desktop /etc/polkit-1/rules.d/50-mahjong-companion.rules"

say() { echo "install: $*"; }
stop() { echo "install: $*" >&2; exit 1; }

has_desktop() { [ -e /etc/systemd/system/display-manager.service ]; }
systemd_runs() { [ -d /run/systemd/system ]; }

check_machine() {
    case $(dpkg --print-architecture 2>/dev/null) in
        arm64 | amd64) ;;
        *) stop "a 64-bit Debian or Raspberry Pi OS is needed: write the 64-bit image to the card with Raspberry Pi Imager." ;;
    esac
    [ "$(findmnt --noheadings --output FSTYPE /)" != overlay ] ||
        stop "the card is read-only, so all this would be gone at the next start: sudo raspi-config nonint disable_overlayfs && sudo reboot"
    mkdir -p "$folder" 2>/dev/null || stop "$folder cannot be written: is the card read-only? sudo mount -o remount,rw /"
    [ "$(date +%Y)" -ge 2026 ] || stop "the clock says $(date +%F), and encrypted connections need the right day: sudo date --set=2026-12-24 (today's date)"
    [ "$(df --output=avail --block-size=1M "$folder" | tail -n 1)" -ge 1500 ] || stop "$folder needs 1.5 GB: make room, or take a larger card."
}

# The first start of a copy: what reads tiles must do so here.
try_out() {
    [ -n "$("$1/bin/companion" read "$1"/lib/python3*/site-packages/companion/recorded_demo/hand.jpg --json)" ]
}

switch_to() {
    ln -sfn "$1" "$folder/next"
    mv -T "$folder/next" "$folder/current"
}

add_user() {
    id "$user" >/dev/null 2>&1 || useradd --system --home-dir "$home" --create-home --shell /usr/sbin/nologin "$user"
    for group in video render input audio dialout; do
        ! getent group "$group" >/dev/null || usermod --append --groups "$group" "$user"
    done
}

place_files() {
    mkdir -p /usr/local/bin
    ln -sfn "$folder/current/bin/companion" /usr/local/bin/companion
    install -D --mode=644 "$here/deploy/desktop/mahjong-companion.desktop" -t "$share/applications"
    install -D --mode=644 "$here/companion/art/icon.png" "$share/icons/hicolor/512x512/apps/mahjong-companion.png"
    if has_desktop; then
        install -D --mode=644 "$here/deploy/desktop/mahjong-companion.desktop" -t /etc/xdg/autostart
        return
    fi
    apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends cage seatd xwayland polkitd >/dev/null ||
        stop "apt-get could not install cage, seatd, xwayland and polkitd: is there an internet connection?"
    add_user
    install -D --mode=644 "$here/deploy/pi/mahjong-companion.service" "$unit"
    install -D --mode=644 "$here/deploy/pi/mahjong-companion.rules" /etc/polkit-1/rules.d/50-mahjong-companion.rules
    systemctl --quiet enable mahjong-companion.service
}

# Ends well once the window has said that it is open (Type=notify).
start_window() {
    [ -e "$unit" ] && systemd_runs || return 0
    systemctl daemon-reload
    systemctl restart mahjong-companion.service
}

install_program() {
    check_machine
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/pyproject.toml")
    mkdir -p "$folder/releases"
    new=$(mktemp -d "$folder/releases/$version-XXXXXX")
    chmod 755 "$new"
    trap 'rm -rf "$new"' EXIT
    "$here/.ci/setup" installed "$new" || stop "nothing was changed."
    try_out "$new" || stop "the new copy cannot read a picture, so nothing was changed."
    trap - EXIT

    old=$(readlink "$folder/current" || true)
    switch_to "$new"
    place_files
    if ! start_window; then
        [ -n "$old" ] || stop "the window did not open: journalctl --unit mahjong-companion says why."
        switch_to "$old"
        start_window || true
        rm -rf "$new"
        stop "the window of the new copy did not open, so the one of before is back: journalctl --unit mahjong-companion says why."
    fi
    [ -z "$old" ] || ln -sfn "$old" "$folder/previous"
    for release in "$folder"/releases/*; do
        [ "$release" = "$new" ] || [ "$release" = "$old" ] || rm -rf "$release"
    done
    say "version $version is installed; it starts when the machine is switched on. Back to the one of before: sudo $0 rollback"
}

roll_back() {
    old=$(readlink "$folder/previous") || stop "there is no copy of before."
    new=$(readlink "$folder/current")
    switch_to "$old"
    ln -sfn "$new" "$folder/previous"
    start_window
    say "back to $(basename "$old"); sudo $0 rollback changes them again."
}

uninstall() {
    if [ -e "$unit" ]; then
        systemctl --quiet disable mahjong-companion.service
        ! systemd_runs || systemctl stop mahjong-companion.service
    fi
    # shellcheck disable=SC2086  # words are meant
    rm -rf $placed "$folder"
    ! systemd_runs || systemctl daemon-reload
    say "removed, but for the games: those of the whole screen are in $home (sudo userdel --remove $user deletes them)."
}

[ "$(id -u)" -eq 0 ] || stop "please run it with sudo."
case ${1:-install} in
    install) install_program ;;
    rollback) roll_back ;;
    uninstall) uninstall ;;
    *) stop "install, rollback or uninstall, not '$1'" ;;
esac
