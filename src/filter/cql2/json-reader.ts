/** Reads the JSON form of CQL2. */

import type { JsonTree } from '../../lib/json/tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { createLiteral } from '../model/literal.ts';
import type { FilterReadOutcome } from '../model/read-outcome.ts';
import { readGeoJson, readJsonBox } from './geojson.ts';
import { Cql2Error, createValue, type Operand, type SourcePositions, toFilter } from './operand.ts';
import { createOperation, refuseListOperation } from './operation.ts';
import { readInterval, readMoment } from './time.ts';

export function readCql2Json(tree: JsonTree): FilterReadOutcome {
  const places: SourcePositions = new Map();
  try {
    const filter = toFilter(readOperand(tree, '$', places));
    return {
      kind: 'read',
      filter,
      whereOf: (part) => {
        const place = places.get(part);
        return place === undefined ? undefined : String(place);
      },
    };
  } catch (error) {
    if (!(error instanceof Cql2Error)) throw error;
    return { kind: 'refused', where: String(error.place), message: error.message };
  }
}

function readOperand(tree: JsonTree, path: string, places: SourcePositions): Operand {
  switch (tree.kind) {
    case 'string':
    case 'number':
      return createValue(places, path, createLiteral(tree.text));
    case 'boolean':
      return { kind: 'truth', value: tree.value, place: path };
    case 'array':
      return { kind: 'list', items: readItems(tree, path, places), place: path };
    case 'object':
      return readObject(tree.members, path, places);
    case 'null':
      throw new Cql2Error(path, "null is not allowed as a value; use the operation 'isNull'");
  }
}

type Members = ReadonlyMap<string, JsonTree>;

/** Members that identify the kind of an object, with the reader for each. */
const readers: Readonly<
  Record<string, (member: JsonTree, path: string, places: SourcePositions, members: Members) => Operand>
> = {
  op: (member, path, places, members) => {
    const name = readText(member, `${path}.op`);
    refuseListOperation(name, path);
    return createOperation(name, readMember(members, 'args', path, places), path, places);
  },
  property: (member, path, places) =>
    createValue(places, path, { kind: 'property', name: readText(member, `${path}.property`) }),
  date: (member, path, places) => readMoment('date', readText(member, `${path}.date`), path, places),
  timestamp: (member, path, places) => readMoment('timestamp', readText(member, `${path}.timestamp`), path, places),
  interval: (member, path, places) => readInterval(readItems(member, `${path}.interval`, places), path, places),
  type: (_member, path, places, members) => createValue(places, path, readGeoJson({ kind: 'object', members }, path)),
  bbox: (member, path, places) => createValue(places, path, readJsonBox(member, `${path}.bbox`)),
  // Syntax of drafts of the standard.
  casei: (member, path, places) =>
    createOperation('casei', [readOperand(member, `${path}.casei`, places)], path, places),
  accenti: (member, path, places) =>
    createOperation('accenti', [readOperand(member, `${path}.accenti`, places)], path, places),
  function: (member, path, places) => {
    const inner = member.kind === 'object' ? member.members : new Map<string, JsonTree>();
    const name = readText(inner.get('name'), `${path}.function.name`);
    return createOperation(name, readMember(inner, 'args', `${path}.function`, places), path, places);
  },
};

function readObject(members: Members, path: string, places: SourcePositions): Operand {
  for (const [name, read] of Object.entries(readers)) {
    const member = members.get(name);
    if (member !== undefined) return read(member, path, places, members);
  }
  const found = [...members.keys()].slice(0, 3).map((name) => `'${excerpt(name)}'`);
  throw new Cql2Error(
    path,
    `an object with 'op', 'property', 'date', 'timestamp', 'interval' or 'bbox', or a geometry, was expected, but ${found.length === 0 ? 'an empty object' : `an object with ${found.join(', ')}`} was found`,
  );
}

/** Returns an empty list for a missing member, because functions can have no arguments. */
function readMember(members: Members, name: string, path: string, places: SourcePositions): readonly Operand[] {
  const member = members.get(name);
  return member === undefined ? [] : readItems(member, `${path}.${name}`, places);
}

function readItems(tree: JsonTree, path: string, places: SourcePositions): readonly Operand[] {
  if (tree.kind !== 'array') throw new Cql2Error(path, 'a list was expected');
  return tree.items.map((item, index) => readOperand(item, `${path}[${index}]`, places));
}

function readText(tree: JsonTree | undefined, path: string): string {
  if (tree?.kind === 'string' && tree.text !== '') return tree.text;
  throw new Cql2Error(path, 'a string was expected');
}
