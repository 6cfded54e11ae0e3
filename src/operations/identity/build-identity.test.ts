import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readBuildIdentity } from './build-identity.ts';
import { formatBuildTimestamp } from './resource-filter.ts';

const revision = '5afdbaeb583528dd4361bec53b275db4764e37db';

async function installation(buildFile?: string): Promise<{ codeRoot: string; packageRoot: string }> {
  const packageRoot = await mkdtemp(join(tmpdir(), 'graticule-build-'));
  onTestFinished(() => rm(packageRoot, { recursive: true }));
  const codeRoot = join(packageRoot, 'dist');
  await mkdir(codeRoot);
  await writeFile(join(packageRoot, 'package.json'), '{}');
  await utimes(join(packageRoot, 'package.json'), 1_700_000_000, 1_700_000_000);
  if (buildFile !== undefined) {
    await writeFile(join(codeRoot, 'build.json'), buildFile);
  }
  return { codeRoot, packageRoot };
}

describe('build identity', () => {
  test('is read from the build file', async () => {
    const place = await installation(JSON.stringify({ revision, builtAt: '2025-01-27T07:51:00Z' }));

    expect(await readBuildIdentity(place, '1.2.3')).toEqual({
      version: '1.2.3',
      revision,
      builtAtMs: Date.UTC(2025, 0, 27, 7, 51),
    });
  });

  test.each(['{', 'null', undefined])(
    'has no revision, and the time stamp of its files, when the build file has %s',
    async (buildFile) => {
      const place = await installation(buildFile);

      expect(await readBuildIdentity(place, '1.2.3')).toEqual({
        version: '1.2.3',
        revision: 'unknown',
        builtAtMs: 1_700_000_000_000,
      });
    },
  );

  test('is that of the work tree when the code was not built', async () => {
    const place = await installation();
    await mkdir(join(place.packageRoot, '.git'));
    await writeFile(join(place.packageRoot, '.git', 'HEAD'), revision);

    expect(await readBuildIdentity(place, '1.2.3')).toMatchObject({ revision });
  });
});

test('formats the time of a build as the version report requires', () => {
  expect(formatBuildTimestamp(Date.UTC(2025, 0, 27, 7, 51, 59))).toBe('27-Jan-2025 07:51');
  expect(formatBuildTimestamp(Date.UTC(2026, 11, 3, 23, 5))).toBe('03-Dec-2026 23:05');
});
