import { describe, expect, it } from 'vitest';
import { findDiskProblem } from './disk-problem.ts';

function failed(code: string): Error {
  return Object.assign(new Error(`${code}: write failed at /srv/maps`), { code, syscall: 'write' });
}

describe('disk errors', () => {
  it.each([
    ['ENOSPC', 507, 'storage-full', {}],
    ['EDQUOT', 507, 'storage-full', {}],
    ['EFBIG', 507, 'storage-full', {}],
    ['EIO', 503, 'storage-unavailable', {}],
    ['EROFS', 503, 'storage-unavailable', {}],
    ['EMFILE', 503, 'storage-unavailable', { retryAfterSeconds: 5 }],
    ['ENFILE', 503, 'storage-unavailable', { retryAfterSeconds: 5 }],
  ])('maps %s to %i %s, with the original error as the cause only', (code, status, problemCode, details) => {
    const error = failed(code);

    const found = findDiskProblem(error);

    expect(found).toMatchObject({ status, code: problemCode, details, cause: error });
    expect(found?.message).not.toContain('/srv/maps');
  });

  it('finds a disk error within an AggregateError', () => {
    const several = new AggregateError(
      [new Error('no'), failed('ENOSPC')],
      'publishing failed, and so did its undoing',
    );

    expect(findDiskProblem(several)).toMatchObject({ code: 'storage-full' });
  });

  it.each([failed('ENOENT'), failed('EACCES'), new Error('ENOSPC'), 'ENOSPC', undefined])(
    'returns undefined for another error: %s',
    (error) => {
      expect(findDiskProblem(error)).toBeUndefined();
    },
  );
});
