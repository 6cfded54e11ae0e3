import { describe, expect, it } from 'vitest';
import { compat, ours, type SampleName, samples } from '../../../test/support/output-samples.ts';
import { writeJson } from './write-json.ts';

/** The JSON of each sample; if the dialects differ, ours and the reference server's. */
const golden: Readonly<Record<SampleName, string | readonly [ours: string, compat: string]>> = {
  values: '{"thing":{"text":"plain","empty":"","number":1.5,"flag":false,"looksLikeNumber":"5432"}}',
  markup: String.raw`{"thing":{"text":"<b a=\"1\">'&' ]]>\u0001</b>"}}`,
  whitespace: String.raw`{"thing":{"text":" a\tb\r\nc "}}`,
  underscore: '{"thing":{"_default":true}}',
  emptyObject: '{"thing":{}}',
  attributes: String.raw`{"thing":{"@key":"a \"<&>\"","@other":""}}`,
  attributesAndText: '{"thing":{"@key":"port","$":"5432"}}',
  attributesAndMembers: '{"thing":{"@class":"dataStore","name":"ws:roads"}}',
  reference: '{"thing":{"workspace":{"name":"a b","href":"http://host/rest/things/a%20b.json"}}}',
  collectionLink: '{"thing":{"dataStores":"http://host/rest/workspaces/%C3%BC%26/datastores.json"}}',
  listingOfNone: ['{"things":{"thing":[]}}', '{"things":""}'],
  listingOfOne: '{"things":{"thing":[{"name":"one","href":"http://host/rest/things/one.json"}]}}',
  listingOfTwo:
    '{"things":{"thing":[{"name":"one","href":"http://host/rest/things/one.json"},{"name":"two","href":"http://host/rest/things/two.json"}]}}',
  listingOfTwins:
    '{"things":{"thing":[{"name":"a","href":"http://host/rest/things/a/.json"},{"name":"a.html","href":"http://host/rest/things/a.html.json"},{"name":"a.json","href":"http://host/rest/things/a.json.json"},{"name":"a.xml","href":"http://host/rest/things/a.xml.json"}]}}',
  nestedListOfNone: ['{"thing":{"keywords":{"string":[]}}}', '{"thing":{"keywords":""}}'],
  nestedListOfOne: ['{"thing":{"keywords":{"string":["a"]}}}', '{"thing":{"keywords":{"string":"a"}}}'],
  nestedListOfTwo: '{"thing":{"keywords":{"string":["a","b"]}}}',
  mapOfOne: [
    String.raw`{"thing":{"metadata":{"entry":[{"@key":"a\"b","$":"1<2"}]}}}`,
    String.raw`{"thing":{"metadata":{"entry":{"@key":"a\"b","$":"1<2"}}}}`,
  ],
  mapOfTwo: '{"thing":{"metadata":{"entry":[{"@key":"port","$":"5432"},{"@key":"__proto__","$":"x"}]}}}',
  sequence: '{"thing":["a",{"name":"b","href":"http://host/rest/things/b.json"}]}',
  jsonWithoutRoot: '{}',
  jsonWithAnotherRoot: ['{"Things":{"x":[]}}', '{"Things":""}'],
};

describe('JSON', () => {
  it.each(Object.keys(golden) as SampleName[])('serializes %s', (name) => {
    const expected = golden[name];
    const [our, their] = typeof expected === 'string' ? [expected, expected] : expected;

    expect(writeJson(samples[name], ours)).toBe(our);
    expect(writeJson(samples[name], compat)).toBe(their);
  });
});

describe('members with the same name', () => {
  it('are an array in JSON', () => {
    const value = (name: string, text: string) => ({ name, node: { kind: 'value', value: text } as const });
    const members = [value('a', '1'), value('b', '2'), value('a', '3')];

    expect(writeJson({ root: 'thing', title: '', node: { kind: 'object', members } }, ours)).toBe(
      '{"thing":{"a":["1","3"],"b":"2"}}',
    );
  });
});
