/** Every limit states its reason, and is listed on docs/limits.md. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { listConstantLimits, listServerLimits, listSettingLimits } from '../../scripts/limits-page.ts';

const all = [...listSettingLimits(), ...listServerLimits(), ...listConstantLimits()];

it('every limit has a comment that states its reason', () => {
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter(({ reason }) => reason === '').map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

it.each([
  ['--max-document-bytes', 'maxDocumentBytes', '10,485,760 (10 MiB)', 'bytes'],
  ['--rate-limit', 'rateLimit', '0 (none)', 'requests a minute'],
  ['fixed', 'archive.maxEntries', '20,000', 'number'],
  ['fixed', 'mapWorkers.maxThreads', '2', 'number'],
  ['fixed', 'MAX_HEADER_BYTES', '81,920', 'bytes'],
  ['fixed', 'MAX_TRACKED_ADDRESSES', '100,000', 'number'],
])('lists the limit %s %s with its value and unit', (setBy, name, value, unit) => {
  expect(all).toContainEqual(expect.objectContaining({ setBy, name, value, unit }));
});

it('numbers in a product are computed, with constants of the same file', () => {
  const cascaded = all.find(
    ({ file, name }) => file === 'services/access/open-cascaded-tiles.ts' && name === 'MAX_PIXELS',
  );

  expect(cascaded).toMatchObject({ value: '31,457,280', reason: expect.stringContaining('one map') });
});

it('the documentation lists the page', async () => {
  expect(await readFile('docs/README.md', 'utf8')).toContain('](limits.md)');
});
