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

/** What stays in memory. */
export class WrittenRow implements RecordHead {
  readonly id: string;
  readonly kind: string;
  readonly parent: string | null;
  readonly name: string;
  readonly action: 'insert' | 'update';
  /** The position of the record in creation order. */
  readonly age: number;
  /** Undefined while the contents are only in the file. */
  contents: RowContents | undefined;
  spilled: SpilledRow | undefined;

  constructor(action: 'insert' | 'update', age: number, contents: RowContents) {
    const { id, kind, parent, name } = contents.record;
    this.id = id;
    this.kind = kind;
    this.parent = parent;
    this.name = name;
    this.action = action;
    this.age = age;
    this.contents = contents;
  }
}

interface SpilledRow {
  readonly body: SpilledText;
  readonly rest: SpilledText;
}

/** The members of a spilled row besides its head and its body. */
type RowRest = Pick<StoredRecord, 'version' | 'createdAtMs' | 'modifiedAtMs'> & Pick<RowParts, 'keys' | 'files'>;

/** About ten thousand layers with 50 MB: applies export what they have written, and share the records in memory. */
const MAX_RESIDENT_CHARACTERS = 16_777_216;

/** What a record without any text needs, in characters. */
const ROW_CHARACTERS = 200;

export class WrittenRows {
  readonly #folder: string;
  readonly #maxResidentCharacters: number;
  /** The least recently used first. */
  readonly #resident = new Set<WrittenRow>();
  #residentCharacters = 0;
  #file: SpillFile | undefined;

  constructor(folder: string, maxResidentCharacters = MAX_RESIDENT_CHARACTERS) {
    this.#folder = folder;
    this.#maxResidentCharacters = maxResidentCharacters;
  }

  add(action: 'insert' | 'update', age: number, contents: RowContents): WrittenRow {
    const row = new WrittenRow(action, age, contents);
    this.#keep(row, contents);
    return row;
  }

  read(row: WrittenRow): RowContents {
    const { contents } = row;
    if (contents !== undefined) {
      this.#resident.delete(row);
      this.#resident.add(row);
      return contents;
    }
    const found = this.#readSpilled(row);
    row.contents = found;
    this.#keep(row, found);
    return found;
  }

  /** Deletes the file; no row can be read any more. */
  close(): void {
    this.#file?.close();
    this.#resident.clear();
  }

  #keep(row: WrittenRow, contents: RowContents): void {
    this.#resident.add(row);
    this.#residentCharacters += countCharacters(contents);
    for (const oldest of this.#resident) {
      // The row in use stays, whatever its size.
      if (this.#residentCharacters <= this.#maxResidentCharacters || oldest === row) return;
      this.#release(oldest);
    }
  }

  #release(row: WrittenRow): void {
    const { contents } = row;
    if (contents === undefined) return;
    row.spilled ??= this.#spill(contents);
    row.contents = undefined;
    this.#resident.delete(row);
    this.#residentCharacters -= countCharacters(contents);
  }

  #spill({ record, parts: { text, keys, files } }: RowContents): SpilledRow {
    const { version, createdAtMs, modifiedAtMs } = record;
    const rest: RowRest = { version, createdAtMs, modifiedAtMs, keys, files };
    this.#file ??= new SpillFile(this.#folder);
    try {
      return { body: this.#file.append(text), rest: this.#file.append(JSON.stringify(rest)) };
    } catch (error) {
      throw findDiskProblem(error) ?? error;
    }
  }

  #readSpilled({ id, kind, parent, name, spilled }: WrittenRow): RowContents {
    if (this.#file === undefined || spilled === undefined) throw new Error(`Record '${id}' is not in the spill file.`);
    // This class wrote both texts.
    const text = this.#file.readText(spilled.body);
    const rest = JSON.parse(this.#file.readText(spilled.rest)) as RowRest;
    const { version, createdAtMs, modifiedAtMs, keys, files } = rest;
    const body = JSON.parse(text) as JsonObject;
    return {
      record: deepFreeze({ id, kind, parent, name, body, version, createdAtMs, modifiedAtMs }),
      parts: { text, keys, files },
    };
  }
}

function countCharacters({ parts }: RowContents): number {
  return parts.text.length + ROW_CHARACTERS;
}
