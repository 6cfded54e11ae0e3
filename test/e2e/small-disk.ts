/** A disk of a few megabytes that is removed after the test, on machines that allow mounts. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { isContinuousIntegration } from '../support/continuous-integration.ts';

/** Like `describeWithTool`, for tests that mount disks: skipped with the reason locally, and failed in CI. */
export function describeWithSmallDisks(title: string, body: () => void): void {
  const obstacle = obstacleToMounting();
  if (obstacle === undefined) {
    describe(title, body);
  } else if (isContinuousIntegration()) {
    describe(title, () => {
      test('can mount a disk', () => {
        throw new Error(obstacle);
      });
    });
  } else {
    console.warn(`skipped: ${title}: ${obstacle}`);
    describe.skip(`${title} (${obstacle})`, body);
  }
}

export function smallDisk(megabytes: number): string {
  const { folder, unmount } = mountDisk(megabytes);
  onTestFinished(unmount);
  return folder;
}

function obstacleToMounting(): string | undefined {
  try {
    mountDisk(1).unmount();
    return undefined;
  } catch {
    return 'a small disk cannot be mounted; run the tests as root on Linux';
  }
}

function mountDisk(megabytes: number): { readonly folder: string; unmount(): void } {
  const place = mkdtempSync(join(tmpdir(), 'graticule-disk-'));
  const folder = join(place, 'disk');
  const remove = () => rmSync(place, { recursive: true });
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder], { stdio: 'ignore' });
      remove();
    },
  };
}
