/** Parses a value of a property file for its attribute. */

import type { Geometry } from '../../geometry/geometry.ts';
import { decodeWkt, WktError } from '../../geometry/wkt-decode.ts';
import type { Attribute, Value, ValueType } from '../port/port.ts';
import { createValueConverter, fitGeometry, UnfitValueError } from '../support/convert-value.ts';
import { readMoment } from '../support/value-text.ts';
import { MalformedLineError, unescapeText } from './property-lines.ts';
import { formatExcerpt } from './schema.ts';

export type ValueReader = (written: string) => Value | Geometry;

/** Empty text and `<null>` are null for every type. */
export function createValueReader(attribute: Attribute): ValueReader {
  const read = attribute.kind === 'geometry' ? createGeometryReader(attribute) : readers[attribute.type];
  return (written) => {
    const trimmed = trimValue(written);
    if (trimmed === '' || trimmed === '<null>') return null;
    try {
      return read(unescapeText(trimmed));
    } catch (error) {
      if (error instanceof WktError || error instanceof UnfitValueError) {
        throw new MalformedLineError(
          `the value of '${formatExcerpt(attribute.name)}' is invalid because ${error.message}`,
        );
      }
      throw error;
    }
  };
}

/** Unescaped surrounding spaces are removed. */
function trimValue(written: string): string {
  const trimmed = written.trim();
  const backslashes = /\\*$/.exec(trimmed)?.[0].length ?? 0;
  return backslashes % 2 === 0 ? trimmed : written.trimStart().slice(0, trimmed.length + 1);
}

function createGeometryReader({ type }: { readonly type: Geometry['type'] | 'Geometry' }) {
  return (text: string): Geometry => fitGeometry(decodeWkt(text), { type });
}

function createWholeNumberReader(type: 'short' | 'integer' | 'long'): (text: string) => Value {
  const convert = createValueConverter('decimal', type) ?? ((value) => value);
  return (text) => convert(text.replace(/^\+/, ''));
}

const readers: Readonly<Record<ValueType, (text: string) => Value>> = {
  string: (text) => text,
  boolean: (text) => {
    if (/^(?:true|1)$/i.test(text)) return true;
    if (/^(?:false|0)$/i.test(text)) return false;
    throw new UnfitValueError(`'${formatExcerpt(text)}' is neither true nor false`);
  },
  short: createWholeNumberReader('short'),
  integer: createWholeNumberReader('integer'),
  long: createWholeNumberReader('long'),
  float: readReal,
  double: readReal,
  decimal: (text) => {
    if (/^-?\d+(?:\.\d+)?$/.test(text)) return text;
    throw new UnfitValueError(`'${formatExcerpt(text)}' is not a number`);
  },
  date: (text) => {
    const date = readCalendar(text);
    if (date instanceof Date && date.getTime() % DAY_MS === 0) return date;
    throw new UnfitValueError(`'${formatExcerpt(text)}' has a time of day, which requires the type Timestamp`);
  },
  timestamp: readCalendar,
  time: (text) => text,
  bytes: (text) => text,
  uuid: (text) => {
    if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
    throw new UnfitValueError(`'${formatExcerpt(text)}' is not a UUID`);
  },
};

const DAY_MS = 86_400_000;

function readReal(text: string): Value {
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i.test(text);
  if (!isNumber || !Number.isFinite(Number(text)))
    throw new UnfitValueError(`'${formatExcerpt(text)}' is not a number`);
  return Number(text);
}

/** Rejects invalid dates such as June 31. */
function readCalendar(text: string): Date | string {
  const [, year, month, day, hour = 0, minute = 0, second = 0] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?|Z?$)/.exec(text) ?? [];
  const moment = readMoment(text);
  const last = new Date(0);
  last.setUTCFullYear(Number(year), Number(month), 0);
  const isInMonth = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate();
  if (moment === null || !isInMonth || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) {
    throw new UnfitValueError(`'${formatExcerpt(text)}' is not a date such as 2026-01-31 or 2026-01-31T12:00:00Z`);
  }
  return moment;
}
