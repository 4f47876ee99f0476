// SPDX-License-Identifier: BSD-3-Clause
// Asks what there is and, if that is new, for the picture; one request at a time, so that a slow way shows fewer pictures, not older ones.
'use strict';
const picture = document.getElementById('picture');
const progress = document.getElementById('progress');
const words = document.getElementById('words');
const PAUSE = 80; // ms between two looks: some ten pictures a second
const PATIENCE = 5000; // ms for an answer
let shown = '';

async function get(path) {
  const answer = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function show(state) {
  const name = `${state.viewer}-${state.frame}`;
  if (state.frame === 0 || name === shown) return;
  const url = URL.createObjectURL(await (await get('frame.png')).blob());
  const old = picture.src;
  picture.src = url;
  await picture.decode();
  if (old) URL.revokeObjectURL(old);
  shown = name;
}

function tell(state) {
  const where = state.connected ? 'Connected' : 'No simulation is connected';
  const what = state.frame ? `: step ${state.step} of ${state.steps}, ${state.width} × ${state.height} cells, frame ${state.frame}` : ': no frame has come yet';
  words.textContent = where + what;
  progress.value = state.steps ? state.step / state.steps : 0;
}

async function look() {
  try {
    const state = await (await get('state')).json();
    await show(state);
    tell(state);
  } catch (error) {
    words.textContent = 'The viewer does not answer; asking again.';
  }
  setTimeout(look, PAUSE);
}

look();
