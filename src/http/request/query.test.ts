import { describe, expect, it } from 'vitest';
import { createFlagParameter, createIntegerParameter, createTextParameter, createTextsParameter } from './query.ts';
import { readQuery } from './request-head.ts';

const declared = {
  recurse: createFlagParameter('Delete everything in it as well.'),
  limit: createIntegerParameter('At most so many.', 1, 100),
  filter: createTextParameter('Which ones.'),
};

function read(query: string) {
  return readQuery(declared, query);
}

const nothing = { recurse: false, limit: null, filter: null };

describe('repeated query parameter', () => {
  const kinds = { kind: createTextsParameter('Which kinds.') };

  it.each([
    ['', []],
    ['kind=', []],
    ['kind=a', ['a']],
    ['kind=a&other=x&kind=b%20c', ['a', 'b c']],
    ['kind=&kind=b', ['b']],
  ])('?%s', (query, expected) => {
    expect(readQuery(kinds, query)).toEqual({ kind: expected });
  });
});

describe('query parameters', () => {
  it.each([
    ['', nothing],
    ['recurse', nothing],
    ['recurse=&limit=&filter=', nothing],
    ['unknown=1&Recurse=true', nothing],
    ['recurse=true', { ...nothing, recurse: true }],
    ['recurse=True', { ...nothing, recurse: true }],
    ['recurse=TRUE', { ...nothing, recurse: true }],
    ['recurse=yes', { ...nothing, recurse: true }],
    ['recurse=on', { ...nothing, recurse: true }],
    ['recurse=1', { ...nothing, recurse: true }],
    ['recurse=False', nothing],
    ['recurse=no', nothing],
    ['recurse=off', nothing],
    ['recurse=0', nothing],
    ['recurse=true&recurse=false', { ...nothing, recurse: true }],
    ['%72ecurse=%74rue', { ...nothing, recurse: true }],
    ['limit=1', { ...nothing, limit: 1 }],
    ['limit=100', { ...nothing, limit: 100 }],
    ['filter=a+b%2Bc%20d', { ...nothing, filter: 'a b+c d' }],
    ['filter=%C3%BC', { ...nothing, filter: 'ü' }],
    ['constructor=1&__proto__=2', nothing],
  ])('?%s', (query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  it.each([
    ['recurse=maybe', 'recurse', "Invalid value 'maybe' for the query parameter 'recurse'. Expected true or false."],
    ['limit=0', 'limit', "Invalid value '0' for the query parameter 'limit'. Expected a whole number from 1 to 100."],
    [
      'limit=101',
      'limit',
      "Invalid value '101' for the query parameter 'limit'. Expected a whole number from 1 to 100.",
    ],
    [
      'limit=1.5',
      'limit',
      "Invalid value '1.5' for the query parameter 'limit'. Expected a whole number from 1 to 100.",
    ],
    [
      'limit=1e2',
      'limit',
      "Invalid value '1e2' for the query parameter 'limit'. Expected a whole number from 1 to 100.",
    ],
    ['limit=9999999999999999999', 'limit', 'Expected a whole number from 1 to 100.'],
  ])('?%s is rejected with 400 and names the parameter', (query, parameter, message) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({
        code: 'query-invalid',
        status: 400,
        message: expect.stringContaining(message),
        details: expect.objectContaining({ field: parameter }),
      }),
    );
  });
});
