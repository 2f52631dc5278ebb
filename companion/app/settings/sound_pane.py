"""What is heard: sounds, the voice, and which voice."""

from __future__ import annotations

from functools import partial

from kivy.uix.gridlayout import GridLayout

from companion.app.feature import Controller, View
from companion.app.settings.cards import ON_OFF, CardGrid, SettingCard, say_pairs
from companion.app.settings.state import VOLUMES, Settings
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press
from companion.app.widgets.pick import Pick
from companion.live.announcing import choose_voice
from companion.live.tones import Cue
from companion.sentences import msgid

VOLUME_NAMES = (msgid("Off"), msgid("Quiet"), msgid("Medium"), msgid("Loud"))
CUE_NAMES = {
    Cue.DISCARD: msgid("A discard"),
    Cue.CLAIM: msgid("A claim"),
    Cue.WIN: msgid("A win"),
    Cue.SEA: msgid("Sea Floor"),
    Cue.QUESTION: msgid("A question"),
    Cue.ERROR: msgid("An error"),
}
NO_VOICE = msgid("No voice is installed for this language: install espeak-ng, or piper with a voice.")
LOOKING = msgid("Looking for voices …")


class SoundPane(CardGrid):
    """Whoever changes a volume hears it."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__()
        do = controller.do
        self.sounds = Choices(lambda key: do(lambda state: state.set_sounds(int(key))))
        self.volume = Choices(lambda key: do(lambda state: state.set_voice(volume=int(key))))
        self.turns = Choices(lambda key: do(lambda state: state.change(turns=key == "True")))
        self.muted = Choices(lambda key: do(lambda state: state.change(muted=key == "True")))
        self.voice = Pick(lambda key: do(lambda state: state.choose_voice(key)))
        self._samples = GridLayout(cols=3, spacing=theme.GAP / 2, size_hint_y=None)
        self._samples.bind(minimum_height=self._samples.setter("height"))
        self.samples: dict[Cue, Press] = {}
        for cue in CUE_NAMES:
            self.samples[cue] = Press(" ", act=partial(self._listen, cue), size=theme.TEXT_SMALL)
            self._samples.add_widget(self.samples[cue])
        self._do = do
        widgets = (self.sounds, self._samples, self.volume, self.turns, self.voice, self.muted)
        self._own = [SettingCard(each) for each in widgets]

    def show(self, view: View[Settings]) -> None:
        words, state, kept = view.words, view.state, view.state.kept
        voices = [voice for voice in state.voices or () if voice.speaks(state.chinese)]
        none = words(LOOKING) if state.voices is None else "" if voices else words(NO_VOICE)
        titles = (
            (words("Sounds"), ""),
            (words("What they sound like"), ""),
            (words("Voice: wins, claims, Sea Floor, payments"), ""),
            (words("Voice: whose turn it is"), ""),
            (words("Which voice"), none),
            (words("Everything silent"), words("The Sea Floor is then only seen, not heard.")),
        )
        for card, (title, note) in zip(self._own, titles, strict=True):
            card.say(title, note)
        self.lay(self._own, view.size[0])
        volumes = say_pairs(tuple(zip(VOLUMES, VOLUME_NAMES, strict=True)), words)
        self.sounds.offer(volumes, str(kept.sounds))
        self.volume.offer(volumes, str(kept.volume))
        self.turns.offer(say_pairs(ON_OFF, words), str(kept.turns))
        self.muted.offer(say_pairs(ON_OFF, words), str(kept.muted))
        chosen = choose_voice(voices, state.chinese, {True: kept.voice_zh, False: kept.voice_en})
        self.voice.offer([(voice.id, voice.name) for voice in voices], chosen.id if chosen else None)
        self.voice.disabled = not voices
        for cue, press in self.samples.items():
            press.text = words(CUE_NAMES[cue])

    def _listen(self, cue: Cue) -> None:
        self._do(lambda state: state.listen(cue))
