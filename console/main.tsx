/** The entry: reads preferences and the session of the tab, then draws the shell. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { restoreSession } from './rest/session.ts';
import { App } from './shell/app.tsx';
import { language, startPreferences } from './shell/preferences.ts';
import { startRouter } from './shell/router.ts';
import { loadWords } from './words/words.ts';

startPreferences();
startRouter();
await Promise.all([loadWords(language.peek()), restoreSession()]);
effect(() => void loadWords(language.value));
render(<App />, document.body);
