// Sounds made here, short and quiet. A strike is noise through a narrow gate, as of a card on felt or
// of chips against each other; a bell is a tone with its overtone. Times are seconds, pitches hertz.
// Each is named after what happened, as a page tells it of itself.
const strike = (at, pitch, long, loud, narrow) => ({ noise: true, at, pitch, long, loud, narrow });
const bell = (at, pitch, long, loud) => ({ at, pitch, long, loud });

export const SOUNDS = {
  "card-shown": [strike(0, 1100, 0.07, 0.5, 0.8), strike(0.05, 260, 0.09, 0.9, 3)],
  "chips-laid": [strike(0, 4200, 0.03, 0.5, 9), strike(0.035, 5300, 0.03, 0.4, 9), strike(0.075, 4700, 0.05, 0.35, 9)],
  "last-call": [bell(0, 880, 0.5, 0.07), bell(0.22, 880, 0.7, 0.07)],
  settled: [bell(0, 523, 0.5, 0.06), bell(0.12, 659, 0.5, 0.06), bell(0.24, 784, 0.8, 0.06)],
  "last-minute": [bell(0, 440, 0.5, 0.07)],
  "last-coup": [bell(0, 660, 0.5, 0.07), bell(0.25, 660, 0.8, 0.07)],
  "time-over": [bell(0, 440, 0.5, 0.07), bell(0.25, 330, 1.1, 0.07)],
};

function noise(audio, long) {
  const hiss = audio.createBuffer(1, Math.ceil(long * audio.sampleRate), audio.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  return new AudioBufferSourceNode(audio, { buffer: hiss });
}

function sourcesOf(audio, part) {
  if (part.noise) {
    const gate = new BiquadFilterNode(audio, { type: "bandpass", frequency: part.pitch, Q: part.narrow });
    const source = noise(audio, part.long);
    source.connect(gate);
    return [[source, gate, part.loud]];
  }
  const tone = (pitch, loud) => { const one = new OscillatorNode(audio, { frequency: pitch }); return [one, one, loud]; };
  return [tone(part.pitch, part.loud), tone(part.pitch * 2.76, part.loud / 4)];
}

export function play(audio, name) {
  for (const part of SOUNDS[name]) {
    const from = audio.currentTime + part.at;
    for (const [source, end, loud] of sourcesOf(audio, part)) {
      const fade = new GainNode(audio, { gain: 0 });
      fade.gain.setValueAtTime(0.0001, from);
      fade.gain.exponentialRampToValueAtTime(loud, from + 0.004);
      fade.gain.exponentialRampToValueAtTime(0.0001, from + part.long);
      end.connect(fade).connect(audio.destination);
      source.start(from);
      source.stop(from + part.long);
    }
  }
}
