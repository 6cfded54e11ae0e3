import { describe, expect, it } from 'vitest';
import {
  conditionOn,
  printMapped,
  readMapped,
  type TypeSpec,
  useMappedPropertyFiles,
} from '../../../../test/support/mapped-types.ts';

const files = useMappedPropertyFiles();

/** Outcrops show rock units, units have parts, and parts have materials with names in several languages. */
const outcrop: TypeSpec = {
  target: 'ro:Outcrop',
  table: 'outcrops',
  attributes: [
    { target: 'ro:Outcrop', id: "strConcat('outcrop.', code)" },
    { target: 'gml:description', ocql: 'note' },
    { target: 'ro:observation/ro:Visit/ro:day', ocql: 'seen' },
    { target: 'ro:observation/ro:Visit/ro:height', ocql: 'height', client: { uom: "'m'" } },
    { target: 'ro:shows', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK[1]' },
    { target: 'ro:shape', ocql: 'shape' },
  ],
};

const unit: TypeSpec = {
  target: 'ro:RockUnit',
  table: 'units',
  attributes: [
    { target: 'ro:RockUnit', id: 'key' },
    { target: 'FEATURE_LINK[1]', ocql: 'key' },
    {
      target: 'gml:name[1]',
      ocql: "strConcat('urn:rock:', strToLowerCase(title))",
      client: { codeSpace: "'urn:example'" },
    },
    { target: 'gml:name[2]', ocql: 'title' },
    { target: 'ro:rank', ocql: "Recode(rank, 1, 'group', 2, 'formation')" },
    { target: 'ro:part', ocql: 'key', link: 'ro:Part', field: 'FEATURE_LINK', multiple: true },
  ],
};

const part: TypeSpec = {
  target: 'ro:Part',
  table: 'parts',
  attributes: [
    { target: 'ro:Part', id: 'getId()' },
    { target: 'FEATURE_LINK', ocql: 'unit' },
    { target: 'ro:material', ocql: 'material' },
    { target: 'ro:share', ocql: "Categorize(percent, 'minor', 20, 'some', 60, 'most')" },
  ],
};

const rocks = {
  outcrops: [
    '_=code:String,note:String,seen:Date,height:Double,unit:String,shape:Point:srid=4326',
    'x1=17|by the river|2026-05-01|412.5|GRA|POINT(10.5 50)',
    'x2=18|||401|SCH|POINT(11 50.25)',
    'x3=19|no unit|2026-05-03|||',
  ],
  units: ['_=key:String,title:String,rank:Integer', 'u1=GRA|Granite & Co|1', 'u2=SCH|Schist|2', 'u3=LIM|Limestone|'],
  parts: [
    '_=unit:String,material:String,percent:Integer',
    'part.1=GRA|quartz|30',
    'part.2=SCH|mica|70',
    'part.3=GRA|feldspar|60',
    'part.4=GRA|mica|10',
  ],
};

const granite = `<ro:RockUnit gml:id="GRA">
  <gml:name codeSpace="urn:example">urn:rock:granite &amp; co</gml:name>
  <gml:name>Granite &amp; Co</gml:name>
  <ro:rank>group</ro:rank>
  <ro:part>
    <ro:Part gml:id="part.1">
      <ro:material>quartz</ro:material>
      <ro:share>some</ro:share>
    </ro:Part>
  </ro:part>
  <ro:part>
    <ro:Part gml:id="part.3">
      <ro:material>feldspar</ro:material>
      <ro:share>most</ro:share>
    </ro:Part>
  </ro:part>
  <ro:part>
    <ro:Part gml:id="part.4">
      <ro:material>mica</ro:material>
      <ro:share>minor</ro:share>
    </ro:Part>
  </ro:part>
</ro:RockUnit>`;

const schist = `<ro:RockUnit gml:id="SCH">
  <gml:name codeSpace="urn:example">urn:rock:schist</gml:name>
  <gml:name>Schist</gml:name>
  <ro:rank>formation</ro:rank>
  <ro:part>
    <ro:Part gml:id="part.2">
      <ro:material>mica</ro:material>
      <ro:share>most</ro:share>
    </ro:Part>
  </ro:part>
</ro:RockUnit>`;

function indented(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by));
}

const allOutcrops = `<ro:Outcrop gml:id="outcrop.17">
  <gml:description>by the river</gml:description>
  <ro:observation>
    <ro:Visit>
      <ro:day>2026-05-01</ro:day>
      <ro:height uom="m">412.5</ro:height>
    </ro:Visit>
  </ro:observation>
  <ro:shows>
${indented(granite, 4)}
  </ro:shows>
  <ro:shape srsName="EPSG:4326">POINT (10.5 50)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="outcrop.18">
  <ro:observation>
    <ro:Visit>
      <ro:height uom="m">401</ro:height>
    </ro:Visit>
  </ro:observation>
  <ro:shows>
${indented(schist, 4)}
  </ro:shows>
  <ro:shape srsName="EPSG:4326">POINT (11 50.25)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="outcrop.19">
  <gml:description>no unit</gml:description>
  <ro:observation>
    <ro:Visit>
      <ro:day>2026-05-03</ro:day>
    </ro:Visit>
  </ro:observation>
</ro:Outcrop>`;

const conditionOf = (text: string) =>
  conditionOn(text, {
    'gml:description': 'text',
    'ro:observation/ro:Visit/ro:height': 'number',
    'ro:Outcrop/ro:observation/ro:Visit/ro:height': 'number',
    'ro:shows/ro:RockUnit/gml:name': 'text',
    'ro:shows/ro:RockUnit/gml:name/@codeSpace': 'text',
    'ro:shows/ro:RockUnit/ro:part/ro:Part/ro:material': 'text',
    'ro:shows': 'text',
    'ro:shape': 'geometry',
  });

describe('mapped types', () => {
  it('are listed with their target elements and whether the schema defines them as features', async () => {
    const source = await files.open([outcrop, unit, { ...part, name: 'parts' }], rocks);

    expect(source.types.map(({ name, targetElement, isFeature }) => [name, targetElement.local, isFeature])).toEqual([
      ['Outcrop', 'Outcrop', true],
      ['RockUnit', 'RockUnit', true],
      ['parts', 'Part', false],
    ]);
  });

  it('are read as nested records with two levels of chained features', async () => {
    const source = await files.open([outcrop, unit, part], rocks);

    expect(await printMapped(source, 'Outcrop')).toBe(allOutcrops);
  });

  it('are found by their prefixed name and by their mapping name', async () => {
    const source = await files.open([outcrop, unit, { ...part, name: 'the parts' }], rocks);

    expect(await readMapped(source, 'ro:Outcrop')).toHaveLength(3);
    expect(await readMapped(source, 'the parts')).toHaveLength(4);
  });

  it('are rejected for an unknown name', async () => {
    const source = await files.open([outcrop, unit, part], rocks);

    await expect(readMapped(source, 'Outcrops')).rejects.toThrow("The data source has no type named 'Outcrops'.");
  });

  it('have the default geometry of the mapping, or else the first geometry of the feature', async () => {
    const deep: TypeSpec = {
      ...outcrop,
      more: '<defaultGeometry>ro:place/ro:Place/ro:shape</defaultGeometry>',
      attributes: [{ target: 'ro:place/ro:Place/ro:shape', ocql: 'shape' }],
    };

    const [first] = await readMapped(await files.open([outcrop, unit, part], rocks), 'Outcrop', { limit: 1 });
    const [other] = await readMapped(await files.open([deep], rocks), 'Outcrop', { limit: 1 });

    expect(first?.geometry).toMatchObject({ kind: 'geometry', srsName: 'EPSG:4326' });
    expect(other?.geometry).toEqual(first?.geometry);
  });
});

describe('queries on mapped types', () => {
  it.each([1, 2, 3, 100])('return the first %i features', async (limit) => {
    const source = await files.open([outcrop, unit, part], rocks);

    const features = await readMapped(source, 'Outcrop', { limit });

    expect(features.map(({ id }) => id)).toEqual(['outcrop.17', 'outcrop.18', 'outcrop.19'].slice(0, limit));
  });

  it('select features by ids from any expression', async () => {
    const source = await files.open([outcrop, unit, part], rocks);

    expect(
      (await readMapped(source, 'Outcrop', { ids: ['outcrop.19', 'outcrop.17', '18', 'x1'] })).map(({ id }) => id),
    ).toEqual(['outcrop.17', 'outcrop.19']);
    expect((await readMapped(source, 'Part', { ids: ['part.2'] })).map(({ id }) => id)).toEqual(['part.2']);
  });

  it.each([
    ["gml:description LIKE '%river%'", ['outcrop.17']],
    ['gml:description IS NULL', ['outcrop.18']],
    ['"ro:observation/ro:Visit/ro:height" > 405', ['outcrop.17']],
    ['"ro:Outcrop/ro:observation/ro:Visit/ro:height" < 405', ['outcrop.18']],
    ['"ro:shows/ro:RockUnit/gml:name" = \'Schist\'', ['outcrop.18']],
    ['"ro:shows/ro:RockUnit/ro:part/ro:Part/ro:material" = \'mica\'', ['outcrop.17', 'outcrop.18']],
    ['"ro:shows/ro:RockUnit/ro:part/ro:Part/ro:material" = \'feldspar\'', ['outcrop.17']],
    ['NOT "ro:shows/ro:RockUnit/ro:part/ro:Part/ro:material" = \'feldspar\'', ['outcrop.18']],
    ['"ro:shows/ro:RockUnit/gml:name/@codeSpace" = \'urn:example\' AND gml:description IS NULL', ['outcrop.18']],
    ["IN ('outcrop.18')", ['outcrop.18']],
    ["IN ('outcrop.17', 'outcrop.18') AND gml:description IS NULL", ['outcrop.18']],
    ["IN ('outcrop.18') OR gml:description LIKE '%river%'", ['outcrop.17', 'outcrop.18']],
    ['"ro:shows" IS NULL', ['outcrop.19']],
  ])('select features by a condition on their properties: %s', async (text, expected) => {
    const source = await files.open([outcrop, unit, part], rocks);

    const features = await readMapped(source, 'Outcrop', { condition: await conditionOf(text) });

    expect(features.map(({ id }) => id)).toEqual(expected);
  });

  it.each(['true', 'false'])(
    'push a condition on columns to the source, including geometries (denormalised: %s)',
    async (flag) => {
      const plain: TypeSpec = { ...outcrop, more: `<isDenormalised>${flag}</isDenormalised>` };
      const source = await files.open([plain, unit, part], rocks);
      const idsFor = async (text: string, limit?: number) =>
        (
          await readMapped(source, 'Outcrop', {
            condition: await conditionOf(text),
            ...(limit === undefined ? {} : { limit }),
          })
        ).map(({ id }) => id);

      expect(await idsFor('"ro:observation/ro:Visit/ro:height" > 400', 1)).toEqual(['outcrop.17']);
      expect(await idsFor('BBOX(ro:shape, 10.9, 50, 11.1, 51)')).toEqual(['outcrop.18']);
    },
  );

  it('combine ids with a condition', async () => {
    const source = await files.open([outcrop, unit, part], rocks);

    const features = await readMapped(source, 'Outcrop', {
      ids: ['outcrop.17', 'outcrop.18'],
      condition: await conditionOf('gml:description IS NULL'),
    });

    expect(features.map(({ id }) => id)).toEqual(['outcrop.18']);
  });
});
