/** The contract of mappings: every source that stores the tables yields the same features. */
import { expect, test } from 'vitest';
import type { VectorSource } from '../../src/vector/port/port.ts';
import { conditionOn, openTypes, printMapped, readMapped, type TypeSpec } from '../support/mapped-types.ts';

/** The tables as property files, whose feature ids every other source must reproduce. */
export const mappedTables = {
  outcrops: [
    '_=code:Integer,note:String,seen:Date,height:Double,unit:String,the_geom:Point:srid=4326',
    'outcrops.1=17|by the river|2026-05-01|412.5|GRA|POINT(10.5 50)',
    'outcrops.2=18||2026-05-02|401|SCH|POINT(11 50.25)',
    'outcrops.3=19|no unit||||POINT(12 51)',
    'outcrops.4=20|a wall of “Grünstein”|2026-05-04|390.25|GRA|POINT(-12.125 51)',
  ],
  units: [
    '_=key:String,lang:String,title:String,rank:Integer,group:Integer',
    'units.1=GRA|en|Granite|1|17',
    'units.2=SCH|en|Schist|2|18',
    'units.3=GRA|de|Granit|1|17',
    'units.4=LIM|en|Limestone||19',
    'units.5=GRA|it|Granito|1|17',
  ],
  parts: [
    '_=unit:String,material:String,percent:Integer,next:Integer',
    'parts.1=GRA|quartz|30|1',
    'parts.2=SCH|mica|70|2',
    'parts.3=GRA|feldspar|60|3',
    'parts.4=GRA|mica|10|4',
  ],
};

const types: readonly TypeSpec[] = [
  {
    target: 'ro:Outcrop',
    table: 'outcrops',
    attributes: [
      { target: 'ro:Outcrop', id: "strConcat('outcrop.', code)" },
      { target: 'gml:description', ocql: 'note' },
      { target: 'ro:visit/ro:Visit/ro:day', ocql: 'seen' },
      { target: 'ro:visit/ro:Visit/ro:height', ocql: 'height + 0.25', client: { uom: "'m'" } },
      { target: 'ro:shows', ocql: 'unit', link: 'ro:RockUnit', field: 'FEATURE_LINK' },
      {
        target: 'ro:near',
        ocql: 'code',
        link: 'ro:RockUnit',
        field: 'ro:group',
        client: { 'xlink:href': "strConcat('#', key)" },
      },
      { target: 'ro:shape', ocql: 'the_geom' },
    ],
  },
  {
    target: 'ro:RockUnit',
    table: 'units',
    attributes: [
      { target: 'ro:RockUnit', id: 'key' },
      { target: 'FEATURE_LINK', ocql: 'key' },
      { target: 'gml:name', ocql: 'title', multiple: true, client: { codeSpace: "strConcat('urn:', lang)" } },
      { target: 'ro:rank', ocql: "Recode(rank, 1, 'group', 2, 'formation')" },
      { target: 'ro:group', ocql: 'group' },
      { target: 'ro:part', ocql: 'key', link: 'ro:Part', field: 'FEATURE_LINK', multiple: true },
    ],
  },
  {
    target: 'ro:Part',
    table: 'parts',
    attributes: [
      { target: 'ro:Part', id: 'getId()' },
      { target: 'FEATURE_LINK', ocql: 'unit' },
      { target: 'ro:material', ocql: 'material' },
      { target: 'ro:share', ocql: "Categorize(percent, 'minor', 20, 'some', 60, 'most')" },
    ],
  },
];

const partOf = (id: number, material: string, share: string): string => `
      <ro:part>
        <ro:Part gml:id="parts.${id}">
          <ro:material>${material}</ro:material>
          <ro:share>${share}</ro:share>
        </ro:Part>
      </ro:part>`;

const granite = `
    <ro:RockUnit gml:id="GRA">
      <gml:name codeSpace="urn:en">Granite</gml:name>
      <gml:name codeSpace="urn:de">Granit</gml:name>
      <gml:name codeSpace="urn:it">Granito</gml:name>
      <ro:rank>group</ro:rank>
      <ro:group>17</ro:group>${partOf(1, 'quartz', 'some')}${partOf(3, 'feldspar', 'most')}${partOf(4, 'mica', 'minor')}
    </ro:RockUnit>`;

const schist = `
    <ro:RockUnit gml:id="SCH">
      <gml:name codeSpace="urn:en">Schist</gml:name>
      <ro:rank>formation</ro:rank>
      <ro:group>18</ro:group>${partOf(2, 'mica', 'most')}
    </ro:RockUnit>`;

const expected = `<ro:Outcrop gml:id="outcrop.17">
  <gml:description>by the river</gml:description>
  <ro:visit>
    <ro:Visit>
      <ro:day>2026-05-01</ro:day>
      <ro:height uom="m">412.75</ro:height>
    </ro:Visit>
  </ro:visit>
  <ro:shows>${granite}
  </ro:shows>
  <ro:near xlink:href="#GRA"/>
  <ro:shape srsName="EPSG:4326">POINT (10.5 50)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="outcrop.18">
  <ro:visit>
    <ro:Visit>
      <ro:day>2026-05-02</ro:day>
      <ro:height uom="m">401.25</ro:height>
    </ro:Visit>
  </ro:visit>
  <ro:shows>${schist}
  </ro:shows>
  <ro:near xlink:href="#SCH"/>
  <ro:shape srsName="EPSG:4326">POINT (11 50.25)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="outcrop.19">
  <gml:description>no unit</gml:description>
  <ro:near xlink:href="#LIM"/>
  <ro:shape srsName="EPSG:4326">POINT (12 51)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="outcrop.20">
  <gml:description>a wall of “Grünstein”</gml:description>
  <ro:visit>
    <ro:Visit>
      <ro:day>2026-05-04</ro:day>
      <ro:height uom="m">390.5</ro:height>
    </ro:Visit>
  </ro:visit>
  <ro:shows>${granite}
  </ro:shows>
  <ro:shape srsName="EPSG:4326">POINT (-12.125 51)</ro:shape>
</ro:Outcrop>`;

/** `open` returns a source with the three tables; closing the mapped source closes it. */
export function mappedSourceContract(open: () => Promise<VectorSource>): void {
  test('returns the same nested records as any other source', async () => {
    const mapped = openTypes(types, open);

    expect(await printMapped(mapped, 'Outcrop')).toBe(expected);
    await mapped.close();
  });

  test('finds the same features by ids and conditions', async () => {
    const mapped = openTypes(types, open);
    const idsFor = async (query: Parameters<typeof readMapped>[2], name = 'Outcrop') =>
      (await readMapped(mapped, name, query)).map(({ id }) => id);
    const conditionOf = async (text: string) => ({
      condition: await conditionOn(text, { 'gml:description': 'text', 'gml:name': 'text', 'ro:material': 'text' }),
    });

    expect(await idsFor({ ids: ['outcrop.18', 'outcrop.20', 'outcrop.99', 'other'] })).toEqual([
      'outcrop.18',
      'outcrop.20',
    ]);
    expect(await idsFor({ ids: ['parts.3', 'parts.9'] }, 'Part')).toEqual(['parts.3']);
    expect(await idsFor({ ids: ['GRA'] }, 'RockUnit')).toEqual(['GRA']);
    expect(await idsFor({ limit: 2 })).toEqual(['outcrop.17', 'outcrop.18']);
    expect(await idsFor(await conditionOf("gml:description LIKE '%wall%'"))).toEqual(['outcrop.20']);
    expect(await idsFor(await conditionOf("gml:name = 'Granito'"), 'RockUnit')).toEqual(['GRA']);
    expect(await idsFor(await conditionOf("ro:material IN ('mica', 'gold')"), 'Part')).toEqual(['parts.2', 'parts.4']);
    await mapped.close();
  });

  test('sends one query for the chained features of many features', async () => {
    let readings = 0;
    const counted = async (): Promise<VectorSource> => {
      const source = await open();
      return {
        ...source,
        read: (...given) => {
          readings += 1;
          return source.read(...given);
        },
      };
    };
    const mapped = openTypes(types, counted);

    const features = await readMapped(mapped, 'Outcrop');

    expect(features).toHaveLength(4);
    // Two queries for outcrops, to find related rows; units by either link, then all their rows; parts.
    expect(readings).toBeLessThanOrEqual(7);
    await mapped.close();
  });
}
