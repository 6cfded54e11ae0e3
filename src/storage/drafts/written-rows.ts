/**
 * The contents of the records that a buffered transaction has written: the most recently used ones in memory, all others
 * in a file. A hundred thousand layers would need a gigabyte.
 */
import { type SpilledText, SpillFile } from '../../lib/files/spill-file.ts';
import { findDiskProblem } from '../../lib/problems/disk-problem.ts';
import { deepFreeze } from '../../lib/values/deep-freeze.ts';
import type { JsonObject, StoredRecord } from '../port/port.ts';
import type { RowParts } from '../port/rows.ts';
import type { RecordHead } from './buffered-record-index.ts';

/** The record and its parts as they were written. */
export interface RowContents {
  readonly record: StoredRecord;
  readonly parts: RowParts;
}

/** How a row is written into the database. */
export interface RowWrite {
  readonly action: 'insert' | 'update';
  /** The position of the record in creation order. */
  readonly age: number;
  /** The number of the step that writes the row. */
  readonly step: number;
}

/** What stays in memory. */
export class WrittenRow implements RecordHead, RowWrite {
  readonly id: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly name: string;
  readonly action: 'insert' | 'update';
  readonly age: number;
  readonly step: number;
  /** Undefined while the contents are only in the file. */
  contents: RowContents | undefined;
  spilled: SpilledText | undefined;
  /** Whether the contents were read since they were last considered for release. */
  isUsed = false;

  constructor({ action, age, step }: RowWrite, contents: RowContents) {
    const { id, kind, parent, name } = contents.record;
    this.id = id;
    this.kind = kind;
    this.parent = parent;
    this.name = name;
    this.action = action;
    this.age = age;
    this.step = step;
    this.contents = contents;
  }
}

/** The members of a spilled row besides its head and its body. They precede the body in a separate line. */
type RowRest = Pick<StoredRecord, 'version' | 'createdAtMs' | 'modifiedAtMs'> & Pick<RowParts, 'keys' | 'files'>;

/** About ten thousand layers with 50 MB: applies export what they have written, and share the records in memory. */
const MAX_RESIDENT_CHARACTERS = 16_777_216;

/** What a record without any text needs, in characters. */
const ROW_CHARACTERS = 200;

export class WrittenRows {
  readonly #folder: string;
  readonly #maxResidentCharacters: number;
  readonly #resident = new RowQueue();
  #residentCharacters = 0;
  #file: SpillFile | undefined;

  constructor(folder: string, maxResidentCharacters = MAX_RESIDENT_CHARACTERS) {
    this.#folder = folder;
    this.#maxResidentCharacters = maxResidentCharacters;
  }

  add(write: RowWrite, contents: RowContents): WrittenRow {
    const row = new WrittenRow(write, contents);
    this.#keep(row, contents);
    return row;
  }

  read(row: WrittenRow): RowContents {
    const { contents } = row;
    if (contents !== undefined) {
      row.isUsed = true;
      return contents;
    }
    const found = this.#readSpilled(row);
    deepFreeze(found.record);
    row.contents = found;
    this.#keep(row, found);
    return found;
  }

  /** Reads a row that is not needed again soon, so that those in memory stay there. */
  readOnce(row: WrittenRow): RowContents {
    return row.contents ?? this.#readSpilled(row);
  }

  /** Deletes the file; no row can be read any more. */
  close(): void {
    this.#file?.close();
    this.#resident.clear();
  }

  #keep(row: WrittenRow, contents: RowContents): void {
    this.#resident.push(row);
    this.#residentCharacters += countCharacters(contents);
    while (this.#residentCharacters > this.#maxResidentCharacters) {
      const oldest = this.#resident.shift();
      // The row in use stays, whatever its size.
      if (oldest === undefined || (oldest === row && this.#resident.isEmpty)) {
        this.#resident.push(row);
        return;
      }
      if (oldest === row || oldest.isUsed) {
        oldest.isUsed = false;
        this.#resident.push(oldest);
      } else this.#release(oldest);
    }
  }

  #release(row: WrittenRow): void {
    const { contents } = row;
    if (contents === undefined) return;
    row.spilled ??= this.#spill(contents);
    row.contents = undefined;
    this.#residentCharacters -= countCharacters(contents);
  }

  #spill({ record, parts: { text, keys, files } }: RowContents): SpilledText {
    const { version, createdAtMs, modifiedAtMs } = record;
    const rest: RowRest = { version, createdAtMs, modifiedAtMs, keys, files };
    this.#file ??= new SpillFile(this.#folder);
    try {
      return this.#file.append(`${JSON.stringify(rest)}\n${text}`);
    } catch (error) {
      throw findDiskProblem(error) ?? error;
    }
  }

  #readSpilled({ id, kind, parent, name, spilled }: WrittenRow): RowContents {
    if (this.#file === undefined || spilled === undefined) throw new Error(`Record '${id}' is not in the spill file.`);
    const written = this.#file.readText(spilled);
    const endOfRest = written.indexOf('\n');
    const text = written.slice(endOfRest + 1);
    // This class wrote both texts.
    const rest = JSON.parse(written.slice(0, endOfRest)) as RowRest;
    const { version, createdAtMs, modifiedAtMs, keys, files } = rest;
    const body = JSON.parse(text) as JsonObject;
    return {
      record: { id, kind, parent, name, body, version, createdAtMs, modifiedAtMs },
      parts: { text, keys, files },
    };
  }
}

/** This many entries are removed together: removing each one at the front of an array would move all others. */
const REMOVED_TOGETHER = 1_024;

/** Rows in the order in which they were added. A set in that order would skip all deleted entries for each first one. */
class RowQueue {
  readonly #rows: WrittenRow[] = [];
  #first = 0;

  get isEmpty(): boolean {
    return this.#first === this.#rows.length;
  }

  push(row: WrittenRow): void {
    this.#rows.push(row);
  }

  shift(): WrittenRow | undefined {
    const row = this.#rows[this.#first];
    if (row === undefined) return undefined;
    this.#first += 1;
    if (this.#first === REMOVED_TOGETHER) {
      this.#rows.splice(0, this.#first);
      this.#first = 0;
    }
    return row;
  }

  clear(): void {
    this.#rows.length = 0;
    this.#first = 0;
  }
}

function countCharacters({ parts }: RowContents): number {
  return parts.text.length + ROW_CHARACTERS;
}
