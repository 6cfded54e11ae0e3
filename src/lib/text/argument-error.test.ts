import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { explainArgumentError } from './argument-error.ts';

function explain(...args: readonly string[]): string {
  try {
    parseArgs({ args: [...args], options: { limit: { type: 'string' }, help: { type: 'boolean' } }, strict: true });
  } catch (error) {
    return explainArgumentError(error);
  }
  throw new Error('The arguments are valid.');
}

describe('error of command line arguments', () => {
  it('says how to write a value that is missing or begins with a dash', () => {
    const sentence = 'The value of --limit is missing. If it begins with a dash, write --limit=VALUE';

    expect([explain('--limit', '-1'), explain('--limit')]).toEqual([sentence, sentence]);
  });

  it('names unknown options, unexpected arguments and values of flags', () => {
    expect([explain('--limits'), explain('x'), explain('--help=1')]).toEqual([
      "Unknown option '--limits'",
      "Unexpected argument 'x'",
      "Option '--help' does not take an argument",
    ]);
  });
});
