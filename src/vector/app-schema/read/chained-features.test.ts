import { describe, expect, it } from 'vitest';
import {
  type AttributeSpec,
  type PropertyFiles,
  printMapped,
  readMapped,
  type TypeSpec,
  useMappedPropertyFiles,
} from '../../../../test/support/mapped-types.ts';

const files = useMappedPropertyFiles();

const data: PropertyFiles = {
  outcrops: [
    '_=code:Integer,unit:String,kind:String',
    'o1=1|GRA|rock',
    'o2=2|SCH|reference',
    'o3=3||none',
    'o4=4|GRA|soil',
  ],
  units: ['_=key:String,title:String', 'u1=GRA|Granite', 'u2=SCH|Schist', 'u3=GRA|Granite again'],
  soils: ['_=key:String,colour:String', 's1=GRA|brown'],
};

const unit: TypeSpec = {
  target: 'ro:RockUnit',
  table: 'units',
  attributes: [
    { target: 'ro:RockUnit', id: 'getId()' },
    { target: 'FEATURE_LINK', ocql: 'key' },
    { target: 'gml:name', ocql: 'title' },
  ],
};

const soil: TypeSpec = {
  target: 'ro:Part',
  name: 'soil',
  table: 'soils',
  attributes: [
    { target: 'ro:Part', id: 'getId()' },
    { target: 'ro:of', ocql: 'key' },
    { target: 'ro:colour', ocql: 'colour' },
  ],
};

function outcrop(...attributes: readonly AttributeSpec[]): TypeSpec {
  return {
    target: 'ro:Outcrop',
    table: 'outcrops',
    attributes: [{ target: 'ro:Outcrop', id: 'getId()' }, ...attributes],
  };
}

async function printed(types: readonly TypeSpec[], tables = data): Promise<readonly string[]> {
  return (await printMapped(await files.open(types, tables), 'Outcrop')).split('\n');
}

describe('chained types', () => {
  it('are nested in the property, once per feature that the link finds', async () => {
    const lines = await printed([
      outcrop({
        target: 'ro:shows',
        ocql: 'unit',
        link: 'ro:RockUnit',
        field: 'FEATURE_LINK',
        client: { 'xlink:title': 'kind' },
      }),
      unit,
    ]);

    expect(lines.slice(0, 20)).toEqual([
      '<ro:Outcrop gml:id="o1">',
      '  <ro:shows xlink:title="rock">',
      '    <ro:RockUnit gml:id="u1">',
      '      <gml:name>Granite</gml:name>',
      '    </ro:RockUnit>',
      '  </ro:shows>',
      '  <ro:shows xlink:title="rock">',
      '    <ro:RockUnit gml:id="u3">',
      '      <gml:name>Granite again</gml:name>',
      '    </ro:RockUnit>',
      '  </ro:shows>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o2">',
      '  <ro:shows xlink:title="reference">',
      '    <ro:RockUnit gml:id="u2">',
      '      <gml:name>Schist</gml:name>',
      '    </ro:RockUnit>',
      '  </ro:shows>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o3"/>',
    ]);
  });

  it('replace the last step of a path that names their own element', async () => {
    const lines = await printed([
      outcrop({ target: 'ro:shows/ro:RockUnit', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK' }),
      unit,
    ]);

    expect(lines.slice(11, 18)).toEqual([
      '  <ro:shows>',
      '    <ro:RockUnit gml:id="u2">',
      '      <gml:name>Schist</gml:name>',
      '    </ro:RockUnit>',
      '  </ro:shows>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o3"/>',
    ]);
  });

  it('are selected by any of their properties and by the name of their mapping', async () => {
    const lines = await printed([outcrop({ target: 'ro:on', ocql: 'unit', link: 'soil', field: 'ro:of' }), soil]);

    expect(lines.slice(0, 8)).toEqual([
      '<ro:Outcrop gml:id="o1">',
      '  <ro:on>',
      '    <ro:Part gml:id="s1">',
      '      <ro:of>GRA</ro:of>',
      '      <ro:colour>brown</ro:colour>',
      '    </ro:Part>',
      '  </ro:on>',
      '</ro:Outcrop>',
    ]);
  });

  it('are only referenced if the property has an xlink:href from the chained rows', async () => {
    const lines = await printed([
      outcrop({
        target: 'ro:shows',
        ocql: 'unit',
        link: 'ro:RockUnit',
        field: 'FEATURE_LINK',
        client: { 'xlink:href': "strConcat('#', getId())", 'xlink:title': 'title' },
      }),
      unit,
    ]);

    expect(lines).toEqual([
      '<ro:Outcrop gml:id="o1">',
      '  <ro:shows xlink:href="#u1" xlink:title="Granite"/>',
      '  <ro:shows xlink:href="#u3" xlink:title="Granite again"/>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o2">',
      '  <ro:shows xlink:href="#u2" xlink:title="Schist"/>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o3"/>',
      '<ro:Outcrop gml:id="o4">',
      '  <ro:shows xlink:href="#u1" xlink:title="Granite"/>',
      '  <ro:shows xlink:href="#u3" xlink:title="Granite again"/>',
      '</ro:Outcrop>',
    ]);
  });

  it('can differ per row: one type or the other, a reference, or none', async () => {
    const chosen =
      "if_then_else(equalTo(kind, 'reference'), toXlinkHref(strConcat('urn:', unit)), Recode(kind, 'rock', 'ro:RockUnit', 'soil', 'soil'))";
    const field = 'ro:of';
    const linkedUnit = { ...unit, attributes: [...unit.attributes, { target: 'ro:of', ocql: 'key' }] };

    const lines = await printed([outcrop({ target: 'ro:shows', ocql: 'unit', link: chosen, field }), linkedUnit, soil]);

    expect(lines.filter((line) => /Outcrop|shows |RockUnit |Part /.test(line))).toEqual([
      '<ro:Outcrop gml:id="o1">',
      '    <ro:RockUnit gml:id="u1">',
      '    <ro:RockUnit gml:id="u3">',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o2">',
      '  <ro:shows xlink:href="urn:SCH"/>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="o3"/>',
      '<ro:Outcrop gml:id="o4">',
      '    <ro:Part gml:id="s1">',
      '</ro:Outcrop>',
    ]);
  });

  it('can use the same row without a link field', async () => {
    const measure: TypeSpec = {
      target: 'ro:Part',
      name: 'measure',
      table: 'outcrops',
      attributes: [
        { target: 'ro:Part', id: "strConcat('m.', code)" },
        { target: 'ro:code', ocql: 'code' },
      ],
    };

    const lines = await printed([
      outcrop({ target: 'ro:measure', link: "if_then_else(isNull(unit), nothing, 'measure')" }),
      measure,
    ]);

    expect(lines.slice(0, 7)).toEqual([
      '<ro:Outcrop gml:id="o1">',
      '  <ro:measure>',
      '    <ro:Part gml:id="m.1">',
      '      <ro:code>1</ro:code>',
      '    </ro:Part>',
      '  </ro:measure>',
      '</ro:Outcrop>',
    ]);
    expect(lines).toContain('<ro:Outcrop gml:id="o3"/>');
  });

  it('contain all their rows, including those that other links find', async () => {
    const grouped: TypeSpec = {
      ...unit,
      attributes: [
        { target: 'ro:RockUnit', id: 'id' },
        { target: 'FEATURE_LINK', ocql: 'key', multiple: true },
        { target: 'gml:name', ocql: 'title', multiple: true },
      ],
    };
    const tables = {
      ...data,
      units: ['_=id:String,key:String,title:String', '1=U|GRA|one', '2=V|SCH|two', '3=U|SCH|three', '4=U|LIM|four'],
    };

    const lines = await printed(
      [outcrop({ target: 'ro:shows', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK' }), grouped],
      tables,
    );

    expect(lines.slice(0, 9)).toEqual([
      '<ro:Outcrop gml:id="o1">',
      '  <ro:shows>',
      '    <ro:RockUnit gml:id="U">',
      '      <gml:name>one</gml:name>',
      '      <gml:name>three</gml:name>',
      '      <gml:name>four</gml:name>',
      '    </ro:RockUnit>',
      '  </ro:shows>',
      '</ro:Outcrop>',
    ]);
  });
});

describe('types chained to themselves', () => {
  const family = (within: Partial<AttributeSpec> = {}): TypeSpec => ({
    target: 'ro:Outcrop',
    table: 'tree',
    attributes: [
      { target: 'ro:Outcrop', id: 'key' },
      { target: 'FEATURE_LINK', ocql: 'above' },
      { target: 'ro:within', ocql: 'key', link: 'ro:Outcrop', field: 'FEATURE_LINK', multiple: true, ...within },
    ],
  });

  it('are nested as deep as their features', async () => {
    const tree = { tree: ['_=key:Integer,above:Integer', 'a=1|', 'b=2|1', 'c=3|2', 'd=4|1'] };

    expect((await printed([family()], tree)).slice(0, 13)).toEqual([
      '<ro:Outcrop gml:id="1">',
      '  <ro:within>',
      '    <ro:Outcrop gml:id="2">',
      '      <ro:within>',
      '        <ro:Outcrop gml:id="3"/>',
      '      </ro:within>',
      '    </ro:Outcrop>',
      '  </ro:within>',
      '  <ro:within>',
      '    <ro:Outcrop gml:id="4"/>',
      '  </ro:within>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="2">',
    ]);
  });

  it('are rejected if a feature contains itself; a reference is accepted', async () => {
    const circle = { tree: ['_=key:Integer,above:Integer', 'a=1|2', 'b=2|1'] };
    const referring = family({ client: { 'xlink:href': "strConcat('#', key)" } });

    await expect(readMapped(await files.open([family()], circle), 'Outcrop')).rejects.toThrow(
      "The features of 'ro:Outcrop' cannot be read: features are chained more than 20 levels deep (… -> ro:Outcrop -> ro:Outcrop -> ro:Outcrop -> ro:Outcrop), possibly in a cycle; set an xlink:href on one of the links to refer to a feature without including it.",
    );
    expect(await printed([referring], circle)).toEqual([
      '<ro:Outcrop gml:id="1">',
      '  <ro:within xlink:href="#2"/>',
      '</ro:Outcrop>',
      '<ro:Outcrop gml:id="2">',
      '  <ro:within xlink:href="#1"/>',
      '</ro:Outcrop>',
    ]);
  });
});

describe('chains that multiply data', () => {
  /** Levels of rows, each chained to all rows of the next level. */
  const level = (number: number): TypeSpec => ({
    target: 'ro:Outcrop',
    name: `level${number}`,
    table: 'rows',
    attributes: [
      { target: 'ro:Outcrop', id: "strConcat(getId(), 'x')" },
      { target: 'FEATURE_LINK', ocql: "'all'" },
      { target: 'ro:next', ocql: "'all'", link: `level${number + 1}`, field: 'FEATURE_LINK', multiple: true },
    ],
  });
  const last: TypeSpec = { ...level(19), attributes: level(19).attributes.slice(0, 2) };
  const rows = (count: number): PropertyFiles => ({
    rows: ['_=name:String', ...Array.from({ length: count }, (_, index) => `${index}=x`)],
  });

  it('are rejected before they exhaust memory and returned while they are small', async () => {
    const types = [...Array.from({ length: 19 }, (_, index) => level(index)), last];

    await expect(readMapped(await files.open(types, rows(40)), 'level0')).rejects.toThrow(
      "The features of 'level0' cannot be read: a feature has more than 1000000 properties including its chained features; set an xlink:href on one of the links to refer to features without including them.",
    );
    expect(await readMapped(await files.open([level(18), last], rows(40)), 'level18')).toHaveLength(40);
  });

  it('are rejected if links multiply over several levels', async () => {
    const branching = Array.from({ length: 19 }, (_, index): TypeSpec => {
      const attributes = level(index).attributes;
      const links = ['a', 'b', 'c'].flatMap((name) =>
        attributes.slice(2).map((link) => ({ ...link, target: `ro:${name}` })),
      );
      return { ...level(index), attributes: [...attributes.slice(0, 2), ...links] };
    });

    await expect(readMapped(await files.open([...branching, last], rows(1)), 'level0')).rejects.toThrow(
      "The features of 'level0' cannot be read: its nested links require more than 10000 table lookups; set an xlink:href on one of the links to refer to features without including them.",
    );
  });

  it('are built a few features at a time if features are wide', async () => {
    const open = await files.open([level(18), last], rows(1_500));

    const features = await readMapped(open, 'level18', { limit: 700 });

    expect(features).toHaveLength(700);
    expect(features[0]?.children).toHaveLength(1_500);
  });

  it('are rejected if a feature has too many rows', async () => {
    const all: TypeSpec = { target: 'ro:Outcrop', table: 'rows', attributes: [{ target: 'ro:Outcrop', id: "'one'" }] };

    await expect(readMapped(await files.open([all], rows(20_001)), 'Outcrop')).rejects.toThrow(
      "The features of 'ro:Outcrop' cannot be read: the feature 'one' has more than 20000 rows.",
    );
  });
});
