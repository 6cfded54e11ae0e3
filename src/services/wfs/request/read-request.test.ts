import { describe, expect, it } from 'vitest';
import { readMessage } from '../../ows/message.ts';
import { readWfsRequest, selectReportStyle } from './read-request.ts';
import type { GetFeatureRequest, WfsRequest } from './request.ts';

const limits = { maxDepth: 50, maxNodes: 1_000 };
const lookups = {
  knowsFor: async () => true,
  bindFor: () => async () => {
    throw new Error('No stored query is expected.');
  },
};

async function ofPairs(query: string): Promise<WfsRequest> {
  return readWfsRequest(await readMessage(query, undefined, limits), limits, lookups);
}

async function ofDocument(text: string): Promise<WfsRequest> {
  return readWfsRequest(await readMessage('', { mediaType: 'text/xml', text }, limits), limits, lookups);
}

async function featuresOf(query: string): Promise<GetFeatureRequest> {
  const request = await ofPairs(`service=WFS&request=GetFeature&${query}`);
  if (request.kind !== 'GetFeature') throw new Error(`It was read as ${request.kind}`);
  return request;
}

const WFS_1 = 'xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc"';
const WFS_2 = 'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0"';

describe('WFS request', () => {
  it('is the same as key-value pairs, as a form and as a document', async () => {
    const query =
      'VERSION=2.0.0&REQUEST=getfeature&TYPENAMES=topo:roads&NAMESPACES=xmlns(topo,http://topo)&COUNT=5&STARTINDEX=10' +
      '&SORTBY=name,lanes+D&PROPERTYNAME=name,lanes&SRSNAME=EPSG:3857&RESULTTYPE=hits&OUTPUTFORMAT=json';
    const document = `<wfs:GetFeature service="WFS" version="2.0.0" count="5" startIndex="10" resultType="hits" outputFormat="json" ${WFS_2}>
      <wfs:Query typeNames="topo:roads" srsName="EPSG:3857" xmlns:topo="http://topo">
        <wfs:PropertyName>name</wfs:PropertyName>
        <wfs:PropertyName>lanes</wfs:PropertyName>
        <fes:SortBy>
          <fes:SortProperty><fes:ValueReference>name</fes:ValueReference></fes:SortProperty>
          <fes:SortProperty><fes:ValueReference>lanes</fes:ValueReference><fes:SortOrder>DESC</fes:SortOrder></fes:SortProperty>
        </fes:SortBy>
      </wfs:Query>
    </wfs:GetFeature>`;

    const pairs = await ofPairs(query);

    expect(pairs).toEqual({
      kind: 'GetFeature',
      version: '2.0.0',
      outputFormat: 'json',
      formatOptions: new Map(),
      resultType: 'hits',
      count: 5,
      startIndex: 10,
      isById: false,
      queries: [
        {
          typeName: { prefix: 'topo', local: 'roads', uri: 'http://topo' },
          srsName: 'EPSG:3857',
          propertyNames: ['name', 'lanes'],
          sortBy: [
            { property: 'name', descending: false },
            { property: 'lanes', descending: true },
          ],
          selection: { kind: 'all' },
        },
      ],
    });
    expect(await ofDocument(document)).toEqual(pairs);
    const form = { mediaType: 'application/x-www-form-urlencoded', text: query };
    expect(await readWfsRequest(await readMessage('service=WFS', form, limits), limits, lookups)).toEqual(pairs);
  });

  it('is accepted in the notation of older versions', async () => {
    const old = await ofDocument(`<wfs:GetFeature version="1.1.0" maxFeatures="3" ${WFS_1}>
      <wfs:Query typeName="a:roads"><ogc:Filter><ogc:FeatureId fid="roads.1"/></ogc:Filter></wfs:Query>
      <wfs:Query typeName="b:rivers"/>
    </wfs:GetFeature>`);

    expect(old).toMatchObject({
      version: '1.1.0',
      count: 3,
      queries: [
        { typeName: { prefix: 'a', local: 'roads' }, selection: { kind: 'filter', filter: { local: 'Filter' } } },
        { typeName: { prefix: 'b', local: 'rivers' }, selection: { kind: 'all' } },
      ],
    });
  });

  it.each([
    [`<GetFeature xmlns="http://www.opengis.net/wfs"><Query typeName="roads"/></GetFeature>`, '1.1.0'],
    [`<GetFeature xmlns="http://www.opengis.net/wfs/2.0"><Query typeNames="roads"/></GetFeature>`, '2.0.0'],
    [`<GetFeature version="1.0.0"><Query typeName="roads"/></GetFeature>`, '1.0.0'],
  ])('has the version of its document: %s', async (document, version) => {
    expect(await ofDocument(document)).toMatchObject({ version, queries: [{ typeName: { local: 'roads' } }] });
  });

  it.each([
    ['version=1.0.0&typeName=a,b', ['a', 'b']],
    ['version=1.1.0&typename=a,b', ['a', 'b']],
    ['typeNames=(a)(b)', ['a', 'b']],
    ['typeNames=a&typeName=a', ['a']],
    ['featureID=roads.1,roads.2', ['roads']],
    ['resourceId=roads.1,rivers.2', ['roads', 'rivers']],
  ])('contains several types: %s', async (query, names) => {
    expect((await featuresOf(query)).queries.map(({ typeName }) => typeName.local)).toEqual(names);
  });

  it('assigns the lists of parameters to the types', async () => {
    const { queries } = await featuresOf(
      "typeNames=(a)(b)&propertyName=(x,y)(*)&sortBy=(x)(y D)&cql_filter=p='a;b';q=2",
    );

    expect(queries).toEqual([
      {
        typeName: { local: 'a' },
        propertyNames: ['x', 'y'],
        sortBy: [{ property: 'x', descending: false }],
        selection: { kind: 'cql', text: "p='a;b'" },
      },
      {
        typeName: { local: 'b' },
        sortBy: [{ property: 'y', descending: true }],
        selection: { kind: 'cql', text: 'q=2' },
      },
    ]);
  });

  it.each([
    ['bbox=1,2,3,4', { corners: [1, 2, 3, 4] }],
    ['bbox=1,2,3,4,EPSG:4326', { corners: [1, 2, 3, 4], crs: 'EPSG:4326' }],
    ['bbox=1,2,0,3,4,9', { corners: [1, 2, 3, 4] }],
    ['bbox=1,2,0,3,4,9,urn:ogc:def:crs:EPSG::4326', { corners: [1, 2, 3, 4], crs: 'urn:ogc:def:crs:EPSG::4326' }],
  ])('contains a box: %s', async (query, box) => {
    expect((await featuresOf(`typeNames=a&${query}`)).queries[0]?.selection).toEqual({ kind: 'box', box });
  });

  it('requests a feature by its id', async () => {
    const byId = await featuresOf('storedQuery_id=urn:ogc:def:query:OGC-WFS::GetFeatureById&id=roads.7');

    expect(byId).toMatchObject({
      isById: true,
      queries: [{ typeName: { local: 'roads' }, selection: { kind: 'ids', ids: ['roads.7'] } }],
    });
    expect(
      await ofDocument(`<wfs:GetFeature ${WFS_2}><wfs:StoredQuery id="urn:ogc:def:query:OGC-WFS::GetFeatureById">
        <wfs:Parameter name="ID">roads.7</wfs:Parameter></wfs:StoredQuery></wfs:GetFeature>`),
    ).toMatchObject({ isById: true, queries: byId.queries });
  });

  it.each([
    ['', 'MissingParameterValue', "The parameter 'request' is missing"],
    ['request=Explode', 'request', "has no operation 'Explode'"],
    ['request=GetPropertyValue&version=1.1.0', 'x', 'WFS 1.1.0 has no operation'],
    ['request=GetFeature', 'typeName', "The parameter 'typeNames' is missing"],
    ['request=GetFeature&typeNames=a,b&aliases=x', 'aliases', 'expected one alias for each of a, b'],
    ['request=GetFeature&typeNames=a,a', 'aliases', 'expected a different alias for each type'],
    ['request=GetFeature&typeNames=a,b,c,d,e,f', 'typeNames', 'at most 5 types'],
    ['request=GetFeature&typeNames=a&typeName=b', 'typeName', 'given twice'],
    ['request=GetFeature&resourceId=a.1&featureId=b.1', 'featureId', 'given twice'],
    ['request=GetFeature&typeNames=a&bbox=1,2,3', 'bbox', 'expected four numbers'],
    ['request=GetFeature&typeNames=a&bbox=5,2,3,4', 'bbox', 'expected four numbers'],
    ['request=GetFeature&typeNames=a&bbox=a,b,c,d', 'bbox', 'expected four numbers'],
    ['request=GetFeature&typeNames=a&bbox=NaN,0,Infinity,4', 'bbox', 'expected four numbers'],
    [
      'request=GetFeature&typeNames=a&bbox=1,2,3,4&cql_filter=x=1',
      'cql_filter',
      'bbox and cql_filter exclude each other',
    ],
    ['request=GetFeature&typeNames=a&sortBy=x+UP', 'sortBy', 'expected ASC or DESC'],
    ['request=GetFeature&typeNames=a&count=-1', 'count', 'an integer of at least 0'],
    ['request=GetFeature&typeNames=a&startIndex=abc', 'startIndex', 'an integer of at least 0'],
    ['request=GetFeature&typeNames=a&resultType=some', 'resultType', 'results or hits'],
    ['request=GetFeature&typeNames=a&filter=<a/>', 'filter', "expected an XML document with the root 'Filter'"],
    ['request=GetFeature&typeNames=a&filter=<!DOCTYPE x><Filter/>', 'filter', 'DOCTYPE'],
    ['request=GetFeature&typeNames=(a)(b)(c)&propertyName=(x)(y)', 'propertyName', 'one value for each of the 3 types'],
    ['request=GetFeature&version=1.2.3&typeName=a', 'version', 'expected one of 1.0.0, 1.1.0, 2.0.0'],
    ['request=GetPropertyValue&typeNames=a', 'valueReference', "The parameter 'valueReference' is missing"],
  ])('is rejected with a reason: %s', async (query, _field, sentence) => {
    await expect(ofPairs(query)).rejects.toThrow(sentence);
  });

  it.each([
    ['<wfs:GetFeature/>', 'not well-formed'],
    [`<wfs:GetFeature ${WFS_2}/>`, "expected a 'Query'"],
    [
      `<wfs:GetFeature ${WFS_2}><wfs:Query typeNames="a b" aliases="x"/></wfs:GetFeature>`,
      'expected one alias for each',
    ],
    [`<wfs:GetFeature ${WFS_2}><wfs:Query/></wfs:GetFeature>`, "The parameter 'typeName' is missing"],
    [`<wfs:LockFeature ${WFS_2}/>`, "expected a 'Query' in 'wfs:LockFeature'"],
    [`<wfs:LockFeature ${WFS_2} expiry="0"/>`, 'a number of seconds from 1 to 86400'],
    [`<wfs:ReleaseLock ${WFS_2}/>`, "has no operation 'ReleaseLock'"],
    ['<html/>', "has no operation 'html'"],
    [`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><wfs:GetFeature ${WFS_2}/>`, 'DOCTYPE'],
    [`<a>${'<a>'.repeat(60)}`, 'nested deeper than 50 levels'],
    ['{"request": "GetFeature"}', 'an XML document or a form'],
  ])('is rejected as a document with a reason: %s', async (document, sentence) => {
    await expect(ofDocument(document)).rejects.toThrow(sentence);
  });

  it.each([
    ['version=1.0.0', { report: '1.2.0', version: '1.0.0' }],
    ['version=1.1.0&exceptions=application/json', { report: '1.0.0', exceptions: 'application/json' }],
    ['version=7', { report: '2.0.0', version: '2.0.0' }],
  ])('selects the exception format: %s', async (query, style) => {
    expect(selectReportStyle(await readMessage(query, undefined, limits))).toMatchObject(style);
  });
});
