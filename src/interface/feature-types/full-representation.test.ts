import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';
const types = `${stores}/shapes/featuretypes`;

/** Every writable field of a feature type, in document order. */
const everything = {
  alias: 'places',
  title: 'Places',
  description: 'For people',
  abstract: 'About places',
  keywords: { string: ['one', 'two\\@language=de\\;'] },
  metadataLinks: {
    metadataLink: [
      { type: 'text/html', metadataType: 'ISO19115:2003', content: 'http://x/1', about: 'http://x/about' },
      { type: 'text/plain', metadataType: 'FGDC', content: 'http://x/2' },
    ],
  },
  dataLinks: { dataLink: [{ type: 'text/csv', content: 'http://x/data' }] },
  metadata: {
    entry: [
      { '@key': 'cachingEnabled', $: 'true' },
      {
        '@key': 'time',
        dimensionInfo: {
          enabled: true,
          attribute: 'seen',
          presentation: 'DISCRETE_INTERVAL',
          resolution: 86_400_000,
          units: 'ISO8601',
          defaultValue: { strategy: 'FIXED', referenceValue: '2026-01-02T00:00:00Z' },
          nearestMatchEnabled: false,
          rawNearestMatchEnabled: false,
          acceptableInterval: 'P1D',
        },
      },
      { '@key': 'other', '@class': 'tree', a: { b: ['1', { '@c': 'd', $: '02' }], empty: '' } },
    ],
  },
  serviceConfiguration: true,
  disabledServices: { string: ['WFS', 'WMS'] },
  simpleConversionEnabled: true,
  internationalTitle: { en: 'Places', 'pt-BR': 'Lugares' },
  internationalAbstract: { de: 'Über Orte <&>' },
  cqlFilter: "name LIKE '%a%'",
  maxFeatures: 10,
  numDecimals: 3,
  padWithZeros: true,
  forcedDecimal: true,
  responseSRS: { string: ['4326', '3857'] },
  overridingServiceSRS: true,
  skipNumberMatched: true,
  circularArcPresent: true,
  linearizationTolerance: 0.25,
  encodeMeasures: true,
  attributes: {
    attribute: [
      {
        name: 'height',
        minOccurs: 2,
        maxOccurs: -1,
        nillable: true,
        binding: 'java.lang.Double',
        length: 7,
        range: { min: 1, max: 2.5 },
        options: { double: [1, 2.5] },
        source: 'rank',
        description: 'How high',
      },
      {
        name: 'the_geom',
        minOccurs: 0,
        maxOccurs: 1,
        nillable: true,
        binding: 'org.locationtech.jts.geom.Point',
      },
      {
        name: 'name',
        minOccurs: 1,
        maxOccurs: 1,
        nillable: false,
        binding: 'java.lang.String',
        length: 20,
        options: { string: ['1', 'b'] },
      },
      { name: 'seen', minOccurs: 0, maxOccurs: 1, nillable: true, binding: 'java.util.Date', length: 8 },
      {
        name: 'twice',
        minOccurs: 0,
        maxOccurs: 1,
        nillable: true,
        binding: 'java.lang.Integer',
        source: 'rank * 2',
      },
    ],
  },
};

describe('a feature type with every field set', () => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(
      server,
      `${stores}/shapes/file.shp?configure=all`,
      zipOf({ a: pointShapefile(), b: pointShapefile() }),
    );
    const reply = await server.put(`${types}/a`, JSON.stringify({ featureType: everything }));
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it('is returned as sent, in the order of the reference', async () => {
    const read = await readResource(server, `${types}/a`);

    expect(read).toMatchObject({
      ...everything,
      // Numeric texts become numbers, whatever was sent.
      metadata: {
        entry: [
          ...everything.metadata.entry.slice(0, 2),
          { '@key': 'other', '@class': 'tree', a: { b: [1, { '@c': 'd', $: '02' }], empty: '' } },
        ],
      },
    });
    expect(Object.keys(read)).toEqual(
      'name nativeName alias namespace title description abstract keywords metadataLinks dataLinks nativeCRS srs nativeBoundingBox latLonBoundingBox projectionPolicy enabled advertised metadata store serviceConfiguration disabledServices simpleConversionEnabled internationalTitle internationalAbstract cqlFilter maxFeatures numDecimals padWithZeros forcedDecimal responseSRS overridingServiceSRS skipNumberMatched circularArcPresent linearizationTolerance encodeMeasures attributes'.split(
        ' ',
      ),
    );
  });

  it.each(['json', 'xml'])('is unchanged by its own document in %s', async (format) => {
    const before = await server.get(`${types}/a.${format}`);
    const position = await server.server.storage.position();

    const reply = await server.put(`${types}/a`, before.text, { type: `application/${format}` });

    expect([reply.status, reply.text]).toEqual([200, '']);
    expect((await server.get(`${types}/a.${format}`)).text).toBe(before.text);
    expect(await server.server.storage.position()).toBe(position);
  });

  it('keeps all fields in a change that omits them', async () => {
    const before = await server.get(`${types}/a.xml`);

    await server.put(`${types}/a`, '<featureType><enabled>true</enabled></featureType>');

    expect((await server.get(`${types}/a.xml`)).text).toBe(before.text);
  });

  it('is written in XML as nested elements', async () => {
    const { text } = await server.get(`${types}/a.xml`);

    expect(text).toContain('<alias>places</alias>');
    expect(text).toContain('  <internationalTitle>\n    <en>Places</en>\n    <pt-BR>Lugares</pt-BR>\n');
    expect(text).toContain('<entry key="cachingEnabled">true</entry>');
    expect(text).toContain('<entry key="time">\n      <dimensionInfo>\n        <enabled>true</enabled>');
    expect(text).toContain('<entry key="other" class="tree">\n      <a>\n        <b>1</b>\n        <b c="d">02</b>');
    expect(text).toContain('<options>\n        <double>1</double>\n        <double>2.5</double>\n      </options>');
  });

  it('is shown on a page', async () => {
    const { text } = await server.get(`${types}/a.html`);

    expect(text).toContain('DISCRETE_INTERVAL');
    expect(text).toContain('Lugares');
  });

  it('loses cleared fields', async () => {
    const cleared =
      '{"featureType":{"alias":null,"internationalTitle":null,"metadata":null,"linearizationTolerance":null}}';
    await server.put(`${types}/b`, JSON.stringify({ featureType: { ...everything, attributes: undefined } }));

    expect((await server.put(`${types}/b`, cleared)).status).toBe(200);

    const read = await readResource(server, `${types}/b`);
    for (const member of ['alias', 'internationalTitle', 'metadata', 'linearizationTolerance']) {
      expect(read).not.toHaveProperty(member);
    }
    expect(read).toMatchObject({ internationalAbstract: { de: 'Über Orte <&>' } });
  });

  it.each([
    ['alias', { a: 1 }],
    ['metadataLinks', 'http://x/'],
    ['metadataLinks', { metadataLink: ['http://x/'] }],
    ['metadataLinks', { metadataLink: [{ content: { url: 'x' } }] }],
    ['serviceConfiguration', 'perhaps'],
    ['disabledServices', { string: { a: 1 } }],
    ['simpleConversionEnabled', 2],
    ['internationalTitle', 'text'],
    ['internationalTitle', { 'no language': 'x' }],
    ['internationalAbstract', { en: { a: 1 } }],
    ['cqlFilter', ['a', 'b']],
    ['maxFeatures', 'many'],
    ['numDecimals', 1.5],
    ['padWithZeros', 'x'],
    ['forcedDecimal', {}],
    ['responseSRS', { string: [{ a: 1 }] }],
    ['overridingServiceSRS', 'x'],
    ['skipNumberMatched', 'x'],
    ['circularArcPresent', 'x'],
    ['linearizationTolerance', 'narrow'],
    ['encodeMeasures', 'x'],
    ['metadata', 'text'],
    ['metadata', { time: { 'no name': 1 } }],
    ['metadata', { time: { a: [[1]] } }],
    ['metadata', { a: { b: '\u0001' } }],
    ['attributes', 'name'],
    ['attributes', { attribute: [{ name: 'rank', nillable: 'x' }] }],
    ['attributes', { attribute: [{ name: 'rank', minOccurs: -1 }] }],
    ['attributes', { attribute: [{ name: 'rank', maxOccurs: 'x' }] }],
    ['attributes', { attribute: [{ name: 'rank', minOccurs: 2, maxOccurs: 1 }] }],
    ['attributes', { attribute: [{ name: 'rank', length: 'x' }] }],
    ['attributes', { attribute: [{ name: 'rank', range: '1-2' }] }],
    ['attributes', { attribute: [{ name: 'rank', range: { min: 'a' } }] }],
    ['attributes', { attribute: [{ name: 'rank', range: { min: 2, max: 1 } }] }],
    ['attributes', { attribute: [{ name: 'name', range: { min: 1 } }] }],
    ['attributes', { attribute: [{ name: 'rank', options: { int: ['a'] } }] }],
    ['attributes', { attribute: [{ name: 'rank', options: 'a' }] }],
    ['attributes', { attribute: [{ name: 'the_geom', binding: 'java.lang.String' }] }],
    ['attributes', { attribute: [{ name: 'rank' }, { name: 'rank' }] }],
    ['attributes', { attribute: Array.from({ length: 10_001 }, (_, index) => ({ name: `a${index}` })) }],
  ])('names the field when %s is %j', async (field, value) => {
    const body = JSON.stringify({ featureType: { [field]: value } });

    const reply = await server.put(`${types}/b`, body, { headers: { accept: 'application/problem+json' } });

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ field: expect.stringContaining(`featureType.${field}`) });
  });

  it.each([
    ['an unknown attribute', { attribute: 'height' }, "attribute 'height'"],
    ['an unknown end attribute', { attribute: 'seen', endAttribute: 'gone' }, "endAttribute 'gone'"],
    ['no attribute', { enabled: 'true' }, 'it is enabled, but has no attribute'],
    ['an invalid presentation', { attribute: 'seen', presentation: 'SOME' }, 'LIST, DISCRETE_INTERVAL'],
    ['no resolution', { attribute: 'seen', presentation: 'DISCRETE_INTERVAL' }, 'requires a resolution'],
    ['an invalid resolution', { attribute: 'seen', resolution: 'fine' }, "'fine' is not a number above 0"],
    ['an invalid flag', { attribute: 'seen', nearestMatchEnabled: 'x' }, 'nearestMatchEnabled must be'],
    ['an invalid strategy', { attribute: 'seen', defaultValue: { strategy: 'X' } }, 'MINIMUM'],
    ['no reference', { attribute: 'seen', defaultValue: { strategy: 'FIXED' } }, 'requires a referenceValue'],
  ])('rejects a dimension with %s', async (_what, dimensionInfo, message) => {
    const body = JSON.stringify({ featureType: { metadata: { entry: { '@key': 'time', dimensionInfo } } } });

    const reply = await server.put(`${types}/b`, body);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(message)]);
  });

  it('accepts a disabled dimension without other settings', async () => {
    const off = '<entry key="elevation"><dimensionInfo><enabled>false</enabled></dimensionInfo></entry>';

    expect((await server.put(`${types}/b`, `<featureType><metadata>${off}</metadata></featureType>`)).status).toBe(200);

    expect(await readResource(server, `${types}/b`)).toMatchObject({
      metadata: { entry: [{ '@key': 'elevation', dimensionInfo: { enabled: false } }] },
    });
  });

  it('loses the settings of an attribute that a new list omits', async () => {
    await server.post(types, '{"featureType":{"name":"unsaid","nativeName":"a"}}');
    const change = (attribute: object) =>
      server.put(`${types}/unsaid`, JSON.stringify({ featureType: { attributes: { attribute: [attribute] } } }));
    const said = { description: 'How high', range: { min: 1 }, options: { int: [1] }, minOccurs: 1, maxOccurs: 2 };
    await change({ name: 'height', source: 'rank', ...said });

    await change({ name: 'height' });

    const { attributes } = await readResource(server, `${types}/unsaid`);
    expect(attributes).toEqual({
      attribute: [
        {
          name: 'height',
          minOccurs: 0,
          maxOccurs: 1,
          nillable: true,
          binding: 'java.lang.Integer',
          length: expect.any(Number),
          source: 'rank',
        },
      ],
    });
  });

  it('keeps an attribute that a dimension uses', async () => {
    const without = '<featureType><attributes><attribute><name>rank</name></attribute></attributes></featureType>';
    await server.put(`${types}/b`, JSON.stringify({ featureType: { metadata: everything.metadata } }));

    const reply = await server.put(`${types}/b`, without);

    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining("attribute 'seen'")]);
  });

  it('is published with the given attribute settings', async () => {
    const attributes = { attribute: [{ name: 'rank', description: 'How high', options: { int: [1, 2] } }] };

    const reply = await server.post(
      types,
      JSON.stringify({ featureType: { name: 'chosen', nativeName: 'b', attributes } }),
    );

    expect(reply.status).toBe(201);
    expect(await readResource(server, `${types}/chosen`)).toMatchObject({
      attributes: { attribute: [{ name: 'rank', binding: 'java.lang.Integer', description: 'How high' }] },
    });
  });

  it('uses the new data when its native name changes', async () => {
    await server.post(types, '{"featureType":{"name":"turned","nativeName":"a"}}');

    expect((await server.put(`${types}/turned`, '{"featureType":{"nativeName":"none"}}')).status).toBe(400);
    expect((await server.put(`${types}/turned`, '{"featureType":{"nativeName":"b"}}')).status).toBe(200);

    expect(await readResource(server, `${types}/turned`)).toMatchObject({ nativeName: 'b' });
  });
});

describe('a feature type in the reference dialect', () => {
  const server = useTestServer({ compat: 'geoserver' });

  it.each(['json', 'xml'])(
    'is unchanged by its own document in %s although single-item lists look different',
    async (format) => {
      await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
      await putZip(server, `${stores}/shapes/file.shp`, zipOf({ a: pointShapefile() }));
      const [, time] = everything.metadata.entry;
      const [height] = everything.attributes.attribute;
      const single = {
        ...everything,
        metadata: { entry: [{ ...time, dimensionInfo: { ...time?.dimensionInfo, attribute: 'height' } }] },
        attributes: { attribute: [{ ...height, options: { double: [1.5] } }] },
        disabledServices: { string: ['WFS'] },
      };
      expect((await server.put(`${types}/a`, JSON.stringify({ featureType: single }))).status).toBe(200);
      const before = await server.get(`${types}/a.${format}`);

      const reply = await server.put(`${types}/a`, before.text, { type: `application/${format}` });

      expect([reply.status, reply.text]).toEqual([200, '']);
      expect((await server.get(`${types}/a.${format}`)).text).toBe(before.text);
    },
  );
});
