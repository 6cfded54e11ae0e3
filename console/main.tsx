/** The entry: reads preferences and the session of the tab, then draws the shell. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { restoreSession } from './rest/session.ts';
import { App } from './shell/app.tsx';
import { language, startPreferences } from './shell/preferences.ts';
import { startRouter } from './shell/router.ts';
// Every language counts: otherwise, this small file would be a request of its own.
import './words/create-counter.ts';
import { loadWords } from './words/words.ts';

/** Scripts that are loaded on demand import this one: a top-level await would wait for them, and they for it. */
async function start(): Promise<void> {
  startPreferences();
  startRouter();
  await Promise.all([loadWords(language.peek()), restoreSession()]);
  effect(() => void loadWords(language.value));
  render(<App />, document.body);
}

void start();
