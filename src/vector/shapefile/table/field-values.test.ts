import { describe, expect, test } from 'vitest';
import type { Value } from '../../port/port.ts';
import type { DbfField } from './dbf-header.ts';
import { createFieldReader, getValueType } from './field-values.ts';

function field(type: string, width: number, decimals = 0): DbfField {
  return { nameBytes: Buffer.from('it'), type, offset: 1, width, decimals };
}

function read(type: string, bytes: string | Buffer): Value {
  const content = Buffer.from(bytes);
  const reader = createFieldReader(field(type, content.length), (text, start, end) =>
    text.toString('utf8', start, end),
  );
  return reader(Buffer.concat([Buffer.from(' '), content, Buffer.from('999')]), 0);
}

function bytes(write: (target: Buffer) => void): Buffer {
  const target = Buffer.alloc(8);
  write(target);
  return target;
}

describe('field types', () => {
  test.for([
    ['C', 254, 0, 'string'],
    ['N', 9, 0, 'integer'],
    ['N', 10, 0, 'long'],
    ['N', 18, 0, 'long'],
    ['N', 19, 0, 'double'],
    ['N', 5, 2, 'double'],
    ['F', 13, 11, 'double'],
    ['F', 10, 0, 'double'],
    ['D', 8, 0, 'date'],
    ['L', 1, 0, 'boolean'],
    ['I', 4, 0, 'integer'],
    ['O', 8, 0, 'double'],
    ['B', 8, 0, 'double'],
    ['B', 10, 0, 'string'],
    ['Y', 8, 0, 'double'],
    ['T', 8, 0, 'timestamp'],
    ['M', 10, 0, 'string'],
    ['?', 3, 0, 'string'],
  ] as const)('%s of width %i with %i decimals is %s', ([type, width, decimals, expected]) => {
    expect(getValueType(field(type, width, decimals))).toBe(expected);
  });
});

describe('field values', () => {
  test('texts are trimmed, and blank texts are null', () => {
    expect(read('C', '  two words  ')).toBe('two words');
    expect(read('C', 'ended\0\0\0')).toBe('ended');
    expect(read('C', '     ')).toBeNull();
    expect(read('C', '')).toBeNull();
  });

  test('dates are midnight of valid days', () => {
    expect(read('D', '20240229')).toEqual(new Date('2024-02-29T00:00:00Z'));
    expect(read('D', '00991231')).toEqual(new Date('0099-12-31T00:00:00Z'));
    expect(read('D', '19000228')).toEqual(new Date('1900-02-28T00:00:00Z'));
    for (const none of [
      '20230229',
      '19000229',
      '20231301',
      '20230001',
      '20230100',
      '20230432',
      '00000000',
      '        ',
      '2023-1-1',
    ]) {
      expect(read('D', none)).toBeNull();
    }
    expect(read('D', '2023')).toBeNull();
  });

  test('booleans are read in several languages and can be unknown', () => {
    expect(['T', 't', 'Y', 'y', '1'].map((text) => read('L', text))).toEqual([true, true, true, true, true]);
    expect(['F', 'f', 'N', 'n', '0'].map((text) => read('L', text))).toEqual([false, false, false, false, false]);
    expect(['?', ' ', 'x'].map((text) => read('L', text))).toEqual([null, null, null]);
  });

  test('binary numbers and timestamps are read from their bytes', () => {
    expect(read('I', bytes((target) => target.writeInt32LE(-7, 0)).subarray(0, 4))).toBe(-7);
    expect(
      read(
        'O',
        bytes((target) => target.writeDoubleLE(2.5)),
      ),
    ).toBe(2.5);
    expect(
      read(
        'B',
        bytes((target) => target.writeDoubleLE(Number.NaN)),
      ),
    ).toBeNull();
    expect(
      read(
        'Y',
        bytes((target) => target.writeBigInt64LE(123_450n)),
      ),
    ).toBe(12.345);
    expect(
      read(
        'T',
        bytes((target) => {
          target.writeInt32LE(2_440_588, 0);
          target.writeInt32LE(3_600_000, 4);
        }),
      ),
    ).toEqual(new Date('1970-01-01T01:00:00Z'));
    expect(read('T', Buffer.alloc(8))).toBeNull();
  });
});
