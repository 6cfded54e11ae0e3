import { readFileSync, rmdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { explainFileError } from './file-error.ts';

function fail(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It succeeded.');
}

it('explains an error of the file system with its path, if it has one', () => {
  expect(explainFileError(fail(() => readFileSync('/no/such/file')))).toBe("'/no/such/file' does not exist");
  expect(explainFileError(fail(() => readFileSync('/')))).toBe('it is a directory');
  expect(explainFileError(fail(() => rmdirSync('/dev/null')))).toBe("a part of '/dev/null' is not a directory");
});

it('returns the message of any other error without a full stop', () => {
  expect(explainFileError(new Error('The catalog is damaged.'))).toBe('The catalog is damaged');
  expect(explainFileError('broken')).toBe('broken');
});
