/** The stream of changes, without a browser: what the console knows after its connection was lost. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { queries } from '../../console/rest/cache.ts';
import { followChanges, lastChange } from '../../console/rest/events.ts';

const RETRY_MS = 5_000;
const LONGER_THAN_TWO_COMMENTS_MS = 60_000;

/** The streams that were opened, to send to them. */
const streams: ReadableStreamDefaultController<Uint8Array>[] = [];

const send = (sequence: number, path: string) => {
  const event = { data: { sequence, who: 'anna', items: [{ kind: 'layer', path }] } };
  streams.at(-1)?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
};
const isDropped = (path: string) => queries.getQueryState([path])?.isInvalidated;
const remember = (path: string) => queries.setQueryData([path], {});

/** The tab. */
class Tab extends EventTarget {
  hidden = false;

  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}
const tab = new Tab();

describe('the stream of changes', () => {
  let stop: () => void = () => undefined;
  beforeAll(() => {
    vi.stubGlobal('document', tab);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller);
          signal?.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')));
        },
      });
      return new Response(body);
    });
    stop = followChanges();
  });
  afterAll(() => {
    stop();
    queries.clear();
    vi.useRealTimers();
  });

  it('is opened after the first answer, which it must not delay', async () => {
    await vi.waitUntil(() => queries.getQueryCache().hasListeners());
    expect(streams).toHaveLength(0);
    remember('/workspaces/city/layers');
    await vi.waitUntil(() => streams.length === 1);
  });

  it('drops the answers that a change affects', async () => {
    remember('/workspaces/city/layers');
    remember('/workspaces/other/layers');
    send(7, '/workspaces/city/layers/roads');
    await vi.waitUntil(() => lastChange.value?.sequence === 7);

    expect(isDropped('/workspaces/city/layers')).toBe(true);
    expect(isDropped('/workspaces/other/layers')).toBe(false);
  });

  it('drops every answer after an interruption, because it may have missed changes', async () => {
    remember('/workspaces/other/layers');
    streams.at(-1)?.close();
    await vi.waitUntil(() => vi.getTimerCount() > 0 && vi.advanceTimersByTime(RETRY_MS) && streams.length === 2);
    await vi.waitUntil(() => isDropped('/workspaces/other/layers'));
  });

  it('opens a new connection if it receives nothing, not even comments', async () => {
    remember('/workspaces/other/layers');
    vi.advanceTimersByTime(LONGER_THAN_TWO_COMMENTS_MS);
    await vi.waitUntil(() => vi.advanceTimersByTime(RETRY_MS) && streams.length === 3);
    await vi.waitUntil(() => isDropped('/workspaces/other/layers'));
  });

  it('ends while the tab is hidden, and begins when it is visible, because browsers have few connections', async () => {
    remember('/workspaces/other/layers');
    const [count, last] = [streams.length, streams.at(-1)];
    tab.setHidden(true);
    await vi.waitUntil(() => last?.desiredSize === null);
    await vi.waitUntil(() => vi.getTimerCount() === 0);
    expect(streams.length).toBe(count);
    tab.setHidden(false);
    await vi.waitUntil(() => streams.length === count + 1);
    await vi.waitUntil(() => isDropped('/workspaces/other/layers'));
  });

  it('drops every answer when it follows again, as after a new sign-in', async () => {
    stop();
    remember('/workspaces/other/layers');
    stop = followChanges();
    await vi.waitUntil(() => isDropped('/workspaces/other/layers'));
  });
});
