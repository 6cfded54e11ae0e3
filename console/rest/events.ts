/**
 * Follows the changes of the server: the remembered answers of changed paths are dropped, so that open pages show what
 * other users have done. `EventSource` cannot send credentials, so the stream is read with fetch.
 */
import { signal } from '@preact/signals';
import { dropAnswers, queries } from './cache.ts';
import { callRestStream } from './client.ts';
import { RestProblem } from './problems.ts';

export interface ChangeEvent {
  readonly sequence: number;
  readonly who: string;
  readonly paths: readonly string[];
}

/** The last change of any user since the page was opened. */
export const lastChange = signal<ChangeEvent | undefined>(undefined);

const RETRY_MS = 5_000;

/** The server sends a comment every 15 seconds; a silent connection is lost. */
const SILENCE_MS = 45_000;

/** Whether a stream was open before, also of a session that has ended since. */
let wasOpen = false;

/** Follows until the function that it returns is called. Users without the right to follow see changes when they reload. */
export function followChanges(): () => void {
  const stop = new AbortController();
  void follow(stop.signal);
  return () => stop.abort();
}

async function follow(stop: AbortSignal): Promise<void> {
  await waitForAnswer(stop);
  for (;;) {
    if (document.hidden) await waitUntilVisible(stop);
    if (stop.aborted) return;
    // Ends with a silent connection or a hidden tab.
    const round = new AbortController();
    const leave = () => {
      if (document.hidden) round.abort();
    };
    document.addEventListener('visibilitychange', leave);
    try {
      const reply = await callRestStream('/events', 'text/event-stream', AbortSignal.any([stop, round.signal]));
      // Changes without an event may have happened between two streams.
      if (wasOpen) void queries.invalidateQueries();
      wasOpen = true;
      await readStream(reply, round);
    } catch (error) {
      const isRefused =
        error instanceof RestProblem && error.status >= 400 && error.status < 500 && error.status !== 429;
      if (isRefused || stop.aborted) return;
    } finally {
      document.removeEventListener('visibilitychange', leave);
    }
    if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Changes affect nothing before the first answer, and the stream must not delay it. */
function waitForAnswer(stop: AbortSignal): Promise<void> {
  const cache = queries.getQueryCache();
  return new Promise((resolve) => {
    const check = () => {
      if (!stop.aborted && cache.getAll().every(({ state }) => state.status === 'pending')) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = cache.subscribe(check);
    stop.addEventListener('abort', check, { once: true });
    check();
  });
}

/**
 * Browsers open at most six connections to a server: the streams of hidden tabs would leave none for the requests of
 * others. A tab reads everything again when it becomes visible.
 */
function waitUntilVisible(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !stop.aborted) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    stop.addEventListener('abort', check, { once: true });
  });
}

async function readStream(reply: Response, round: AbortController): Promise<void> {
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => round.abort(), SILENCE_MS);
    const piece = await reader?.read().finally(() => clearTimeout(timer));
    if (piece === undefined || piece.done) return;
    const messages = (rest + piece.value).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) applyMessage(message);
  }
}

interface CloudEvent {
  readonly data?: {
    readonly sequence?: number;
    readonly who?: string;
    readonly items?: readonly { readonly kind: string; readonly path: string | null }[];
  };
}

/** Comments keep the connection open. */
function applyMessage(message: string): void {
  const text = message
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n');
  if (text === '') return;
  const { data } = JSON.parse(text) as CloudEvent;
  const paths = [...new Set((data?.items ?? []).flatMap(({ path }) => path ?? []))];
  for (const path of paths) void dropAnswers(path);
  // The texts of styles are files without a path of their own.
  if (data?.items?.some(({ kind }) => kind === 'styleFile')) void dropAnswers('/styles');
  lastChange.value = { sequence: data?.sequence ?? 0, who: data?.who ?? '', paths };
}
