import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  conditionOn,
  createMappings,
  openTypes,
  printMapped,
  readMapped,
  type TypeSpec,
} from '../../../../test/support/mapped-types.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { describeWithDocuments } from '../../../../test/support/with-documents.ts';
import { documentDriver } from '../../documents/driver.ts';
import { checkMapping } from './check-mapping.ts';

const folder = useTemporaryFolder('document-mapping');

/** Boreholes with nested findings and measurements in one document. */
const boreholes = [
  {
    _id: 'bh7',
    name: 'Borehole 7',
    owner: { mail: 'seven@example.com', phones: ['1', '2'] },
    geometry: { type: 'Point', coordinates: [10.5, 50] },
    layers: [
      {
        rock: 'granite',
        probes: [
          { depth: 2.5, grams: 20 },
          { depth: 3, grams: 21 },
        ],
      },
      { rock: 'schist', probes: [{ depth: 12, grams: 5 }] },
    ],
  },
  { _id: 'bh8', name: 'Borehole 8', layers: [{ rock: 'clay' }], geometry: { type: 'Point', coordinates: [11, 51] } },
  { _id: 'bh9', name: 'Borehole 9' },
];

const types: readonly TypeSpec[] = [
  {
    target: 'ro:Outcrop',
    table: 'boreholes',
    attributes: [
      { target: 'ro:Outcrop', id: 'collectionId()' },
      { target: 'gml:name', ocql: "jsonSelect('name')" },
      { target: 'ro:owner/ro:mail', ocql: "strConcat('mailto:', jsonSelect('owner.mail'))" },
      { target: 'ro:owner/ro:phone', ocql: "jsonSelectAll('owner.phones')" },
      { target: 'ro:layer', ocql: "collectionLink('layers')", link: 'layer', field: 'FEATURE_LINK[1]', multiple: true },
      { target: 'ro:shape', ocql: "jsonSelect('geometry')" },
    ],
  },
  {
    target: 'ro:RockUnit',
    name: 'layer',
    table: 'boreholes',
    attributes: [
      { target: 'ro:RockUnit', id: 'collectionId()' },
      { target: 'FEATURE_LINK[1]', ocql: 'nestedCollectionLink()' },
      { target: 'ro:rock', ocql: "jsonSelect('rock')" },
      {
        target: 'ro:probe',
        ocql: "collectionLink('probes')",
        link: 'ro:Part',
        field: 'FEATURE_LINK[2]',
        multiple: true,
      },
    ],
  },
  {
    target: 'ro:Part',
    table: 'boreholes',
    attributes: [
      { target: 'ro:Part', id: 'collectionId()' },
      { target: 'FEATURE_LINK[2]', ocql: 'nestedCollectionLink()' },
      { target: 'ro:depth', ocql: "jsonSelect('depth')", client: { uom: "'m'" } },
      { target: 'ro:mass', ocql: "jsonSelect('grams') / 1000" },
    ],
  },
];

const expected = `<ro:Outcrop gml:id="bh7">
  <gml:name>Borehole 7</gml:name>
  <ro:owner>
    <ro:mail>mailto:seven@example.com</ro:mail>
    <ro:phone>1</ro:phone>
    <ro:phone>2</ro:phone>
  </ro:owner>
  <ro:layer>
    <ro:RockUnit gml:id="bh7.layers.0">
      <ro:rock>granite</ro:rock>
      <ro:probe>
        <ro:Part gml:id="bh7.layers.0.probes.0">
          <ro:depth uom="m">2.5</ro:depth>
          <ro:mass>0.02</ro:mass>
        </ro:Part>
      </ro:probe>
      <ro:probe>
        <ro:Part gml:id="bh7.layers.0.probes.1">
          <ro:depth uom="m">3</ro:depth>
          <ro:mass>0.021</ro:mass>
        </ro:Part>
      </ro:probe>
    </ro:RockUnit>
  </ro:layer>
  <ro:layer>
    <ro:RockUnit gml:id="bh7.layers.1">
      <ro:rock>schist</ro:rock>
      <ro:probe>
        <ro:Part gml:id="bh7.layers.1.probes.0">
          <ro:depth uom="m">12</ro:depth>
          <ro:mass>0.005</ro:mass>
        </ro:Part>
      </ro:probe>
    </ro:RockUnit>
  </ro:layer>
  <ro:shape srsName="EPSG:4326">POINT (10.5 50)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="bh8">
  <gml:name>Borehole 8</gml:name>
  <ro:owner>
    <ro:mail>mailto:</ro:mail>
  </ro:owner>
  <ro:layer>
    <ro:RockUnit gml:id="bh8.layers.0">
      <ro:rock>clay</ro:rock>
    </ro:RockUnit>
  </ro:layer>
  <ro:shape srsName="EPSG:4326">POINT (11 51)</ro:shape>
</ro:Outcrop>
<ro:Outcrop gml:id="bh9">
  <gml:name>Borehole 9</gml:name>
  <ro:owner>
    <ro:mail>mailto:</ro:mail>
  </ro:owner>
</ro:Outcrop>`;

describeWithDocuments('nested documents', (documents) => {
  beforeAll(() => documents.insert('boreholes', boreholes as never));

  const open = () =>
    openTypes(types, () =>
      documentDriver.open(
        { data_store: documents.uri(), schema_store: mkdtempSync(join(folder, 'schemas')), max_objs_schema: '-1' },
        { resolvePath: async (named) => named },
      ),
    );

  it('are chained by collection links and identified by their path', async () => {
    const mapped = open();

    expect(await printMapped(mapped, 'Outcrop')).toBe(expected);
    await mapped.close();
  });

  it('are selected by ids and by conditions on nested fields', async () => {
    const mapped = open();
    const path = 'ro:layer/ro:RockUnit/ro:probe/ro:Part/ro:depth';
    const condition = await conditionOn(`"${path}" > 10`, { [path]: 'number' });

    expect((await readMapped(mapped, 'Outcrop', { ids: ['bh9', 'bh7'] })).map(({ id }) => id)).toEqual(['bh7', 'bh9']);
    expect((await readMapped(mapped, 'Outcrop', { condition })).map(({ id }) => id)).toEqual(['bh7']);
    await mapped.close();
  });

  it('pass the mapping check without matching columns', () => {
    expect(checkMapping(createMappings(types), () => ['name', 'geometry'])).toEqual([]);
  });
});
