/** Tests of URLs, with the checks as they are or as a change would make them. */
import { signal } from '@preact/signals';
import { type BatchOperation, tryBatch } from '../../../rest/batch.ts';

export interface UrlVerdict {
  /** As the server reads it, without credentials and query. */
  readonly url: string;
  readonly allowed: boolean;
  readonly urlCheck?: { readonly name: string };
  readonly message: string;
}

/** A URL that must be allowed, or must not. */
export interface Sample {
  readonly url: string;
  readonly mustPass: boolean;
}

/** Patterns depend on each other: with many samples, one test still takes milliseconds. */
const MAX_SAMPLES = 100;
const STORED = 'graticule-url-samples';

/** Kept for this tab and forgotten at sign-out. */
export const samples = signal<readonly Sample[]>(readSamples());

function readSamples(): readonly Sample[] {
  const stored = sessionStorage.getItem(STORED);
  return stored === null ? [] : (JSON.parse(stored) as readonly Sample[]);
}

export function keepSample(sample: Sample): void {
  const others = samples.peek().filter(({ url }) => url !== sample.url);
  setSamples([...others, sample].slice(-MAX_SAMPLES));
}

export function dropSample({ url }: Sample): void {
  setSamples(samples.peek().filter((each) => each.url !== url));
}

function setSamples(next: readonly Sample[]): void {
  samples.value = next;
  if (next.length === 0) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, JSON.stringify(next));
}

/** Nothing is stored: the tests see the change, and it is dropped. */
export async function testUrls(
  urls: readonly string[],
  change?: BatchOperation,
  stop?: AbortSignal,
): Promise<readonly UrlVerdict[]> {
  const tests = urls.map(
    (url): BatchOperation => ({ method: 'POST', path: '/urlchecks/test', content: url, contentType: 'text/plain' }),
  );
  const { body } = await tryBatch(change === undefined ? tests : [change, ...tests], stop);
  return body.results.slice(change === undefined ? 0 : 1).map(({ body: read }) => {
    return (read as { readonly urlCheckTest: UrlVerdict }).urlCheckTest;
  });
}
