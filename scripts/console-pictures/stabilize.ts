/** Makes pages equal in every run: waits for their requests, and replaces what is random, measured or of this machine. */
import type { Page } from 'playwright-core';

const QUIET_MS = 400;
const STEP_MS = 50;
const TIMEOUT_MS = 60_000;

/** Counts the requests of a new page. The returned function waits until none is open, but the stream of events. */
export function settle(page: Page): () => Promise<void> {
  const open = new Set<object>();
  let lastAtMs = performance.now();
  page.on('request', (request) => {
    if (!request.url().endsWith('/rest/events')) open.add(request);
    lastAtMs = performance.now();
  });
  const end = (request: object) => {
    open.delete(request);
    lastAtMs = performance.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    const startedAtMs = performance.now();
    while (open.size > 0 || performance.now() - lastAtMs < QUIET_MS) {
      if (performance.now() - startedAtMs > TIMEOUT_MS) throw new Error('The page does not stop to send requests.');
      await page.waitForTimeout(STEP_MS);
    }
  };
}

/** Runs in the page. */
const script = `(() => {
  const replacements = [
    [/127\\.0\\.0\\.1:\\d+/g, 'maps.example.org'],
    [/\\b[\\d.,]+ ms\\b/g, '42 ms'],
    [/\\b[0-9a-f]{16}\\b/g, '0f3a5c7e9b1d2468'],
    [/\\bgrt_\\w+/g, 'grt_4k2p'],
    [/(\\/security\\/tokens\\/)[\\w-]+/g, '$1m4Ue0sZt7Qk'],
  ];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const [pattern, text] of replacements) {
      const next = walker.currentNode.data.replace(pattern, text);
      if (next !== walker.currentNode.data) walker.currentNode.data = next;
    }
  }
  const measured = ['18 %', '3 %', '41 %', '310 MB', '52 %', '0', '4 ms', '0', '0', '0'];
  for (const [index, value] of document.querySelectorAll('.status-value').entries()) {
    value.querySelector('.muted').textContent = '';
    value.firstElementChild.textContent = measured[index];
  }
  // The numbers of worker threads.
  for (const cell of document.querySelectorAll('.status-cards ~ section td')) {
    if (cell.firstChild instanceof Text) cell.firstChild.data = cell.firstChild.data.replace(/^\\d+/, '0');
  }
  for (const line of document.querySelectorAll('.sparkline')) line.style.setProperty('visibility', 'hidden');
})()`;

export async function stabilize(page: Page): Promise<void> {
  await page.evaluate(script);
}
