import { describe, expect, it } from 'vitest';
import { type AttributeSpec, createMappings, type TypeSpec } from '../../../../test/support/mapped-types.ts';
import { checkMapping, listTables } from './check-mapping.ts';

const tables: Readonly<Record<string, readonly string[]>> = {
  outcrops: ['code', 'note', 'unit', 'the_geom'],
  units: ['key', 'title'],
  names: ['unit', 'text'],
};

const unit: TypeSpec = {
  target: 'ro:RockUnit',
  table: 'units',
  attributes: [
    { target: 'ro:RockUnit', id: 'key' },
    { target: 'FEATURE_LINK[1]', ocql: 'key' },
  ],
};

/** Returns the diagnostics of a mapping with one attribute besides valid ones. */
function complaintsOf(attribute: AttributeSpec, more = ''): readonly string[] {
  const outcrop: TypeSpec = { target: 'ro:Outcrop', table: 'outcrops', more, attributes: [attribute] };
  return checkMapping(createMappings([outcrop, unit]), ({ table }) => tables[table]).map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  );
}

describe('mapping checks against sources', () => {
  it.each<AttributeSpec>([
    { target: 'ro:Outcrop', id: "strConcat('o.', code)" },
    { target: 'gml:name', ocql: "if_then_else(isNull(note), 'none', note)", client: { codeSpace: 'code' } },
    { target: 'gml:name', ocql: '"ro:note"' },
    { target: 'ro:shows', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK' },
    {
      target: 'ro:shows',
      ocql: 'unit',
      link: 'ro:RockUnit',
      field: 'FEATURE_LINK[1]',
      client: { 'xlink:href': 'title' },
    },
    { target: 'ro:shows', ocql: 'unit', link: "if_then_else(isNull(note), 'ro:A', 'ro:B')", field: 'FEATURE_LINK' },
    { target: 'ro:note', values: { column: 'unit', table: 'names', key: 'unit', value: 'text' } },
    { target: 'ro:point', ocql: "toPoint('SRS_NAME', 'EPSG:4326', code, code)" },
    { target: 'ro:document', ocql: "jsonSelect('anything.at.all')" },
  ])('accepts %j', (attribute) => {
    expect(complaintsOf(attribute)).toEqual([]);
  });

  it.each<[AttributeSpec, string]>([
    [
      { target: 'ro:Outcrop', id: 'cod' },
      "refers to the column 'cod', which does not exist in 'outcrops'; did you mean 'code'?",
    ],
    [
      { target: 'gml:name', ocql: "strConcat('x', nothing)" },
      "refers to the column 'nothing', which does not exist in 'outcrops'.",
    ],
    [
      { target: 'gml:name', ocql: 'note', client: { codeSpace: 'nothing' } },
      "refers to the column 'nothing', which does not exist in 'outcrops'.",
    ],
    [
      { target: 'gml:name', anonymous: { 'ro:x': 'nothing' } },
      "refers to the column 'nothing', which does not exist in 'outcrops'.",
    ],
    [
      { target: 'ro:shows', ocql: 'nothing', link: 'ro:RockUnit', field: 'FEATURE_LINK' },
      "refers to the column 'nothing', which does not exist in 'outcrops'.",
    ],
    [
      {
        target: 'ro:shows',
        ocql: 'unit',
        link: 'ro:RockUnit',
        field: 'FEATURE_LINK',
        client: { 'xlink:href': 'note' },
      },
      "refers to the column 'note', which does not exist in 'units'.",
    ],
    [
      { target: 'ro:shows', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK[2]' },
      "chains 'ro:RockUnit' by 'FEATURE_LINK[2]', which is not mapped there.",
    ],
    [
      { target: 'ro:shows', link: 'ro:RockUnit' },
      "chains 'ro:RockUnit' of another table and requires both OCQL and linkField to select its features.",
    ],
    [
      { target: 'ro:note', values: { column: 'unit', table: 'names', key: 'units', value: 'text' } },
      "refers to the column 'units', which does not exist in 'names'; did you mean 'unit'?",
    ],
  ])('rejects %j', (attribute, message) => {
    expect(complaintsOf(attribute)).toEqual([`main.appschema:6: The mapping of 'ro:Outcrop' ${message}`]);
  });

  it('rejects a mapping that reads XML', () => {
    expect(complaintsOf({ target: 'gml:name', ocql: 'note' }, '<isXmlDataStore>true</isXmlDataStore>')).toEqual([
      "main.appschema:4: The mapping of 'ro:Outcrop' reads XML documents, which are not supported.",
    ]);
  });

  it('skips tables with unknown columns', () => {
    const type: TypeSpec = {
      target: 'ro:Outcrop',
      table: 'elsewhere',
      attributes: [{ target: 'gml:name', ocql: 'note' }],
    };

    expect(checkMapping(createMappings([type]), () => undefined)).toEqual([]);
  });

  it('skips documents, because unsampled documents can have other fields', () => {
    const type: TypeSpec = { target: 'ro:Outcrop', table: 'units', attributes: [{ target: 'gml:name', ocql: 'note' }] };
    const [mapping] = createMappings([type]);
    const parameters = { data_store: 'mongodb://localhost/rocks' };
    const overDocuments =
      mapping === undefined ? [] : [{ ...mapping, stores: mapping.stores.map((each) => ({ ...each, parameters })) }];

    expect(checkMapping(overDocuments, () => ['key'])).toEqual([]);
    expect(checkMapping(createMappings([type]), () => ['key'])).toHaveLength(1);
  });

  it('stops after the maximum number of diagnostics', () => {
    const wrong = Array.from({ length: 500 }, (_, index) => ({ target: 'gml:name', ocql: `nothing${index}` }));
    let asked = 0;

    const complaints = checkMapping(
      createMappings([{ target: 'ro:Outcrop', table: 'units', attributes: wrong }]),
      () => {
        asked += 1;
        return ['nothing'];
      },
    );

    expect([complaints.length, asked]).toEqual([100, 100]);
    expect(complaints.filter(({ message }) => message.includes('did you mean'))).toHaveLength(10);
  });

  it('lists each table that the mapping reads once', () => {
    const type: TypeSpec = {
      target: 'ro:Outcrop',
      table: 'units',
      attributes: [{ target: 'ro:note', values: { column: 'unit', table: 'names', key: 'unit', value: 'text' } }],
    };

    const store = '["main.appschema","rocks"]';
    expect(listTables(createMappings([type, unit]))).toEqual([
      { store, table: 'units' },
      { store, table: 'names' },
    ]);
  });
});
