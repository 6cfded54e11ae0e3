/** Bodies that every workspace path rejects, with the expected status and message. */

const billionLaughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY lol${index + 1} "${`&lol${index || ''};`.repeat(10)}">`,
).join('')}]><workspace><name>&lol9;</name></workspace>`;

const deepXml = `${'<workspace>'.repeat(40_000)}${'</workspace>'.repeat(40_000)}`;
const deepJson = `${'{"workspace":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
const deepArrays = `{"workspace":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
const busyXml = `<workspace>${'<a/>'.repeat(600_000)}</workspace>`;
const busyAttributes = `<workspace ${Array.from({ length: 550_000 }, (_, index) => `a${index}=""`).join(' ')}/>`;
const busyJson = `{"workspace":{"a":[${'1,'.repeat(510_000)}1]}}`;
const hugeNumber = `{"workspace":{"name":1${'0'.repeat(1_000_000)}}}`;
const hugeName = `{"workspace":{"name":"${'x'.repeat(1_000_000)}"}}`;
const hugeFlag = `{"workspace":{"name":"a","isolated":"${'x'.repeat(1_000_000)}"}}`;
const hugeRoot = `<${'x'.repeat(1_000_000)}/>`;
const manyWrongs = `{"workspace":{"metadata":{${Array.from({ length: 40_000 }, (_, n) => `"${n}":{"a":{"b":1}}`).join(',')}}}}`;

interface BadBody {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly message: string;
}

export const badBodies: Readonly<Record<string, BadBody>> = {
  'XML that is not closed': {
    status: 400,
    type: 'text/xml',
    body: '<workspace>\n  <name>x</name>',
    message: "The XML is not well-formed at line 2, column 17: the element 'workspace' that begins at line 1",
  },
  'XML that is closed wrongly': {
    status: 400,
    type: 'text/xml',
    body: '<workspace><name>x</workspace>',
    message: 'The XML is not well-formed at line 1, column 19',
  },
  'a bare ampersand': {
    status: 400,
    type: 'text/xml',
    body: '<workspace><name>a & b</name></workspace>',
    message: 'write &amp;',
  },
  'two roots': {
    status: 400,
    type: 'text/xml',
    body: '<workspace/><workspace/>',
    message: 'a second root element begins here',
  },
  'no XML at all': { status: 400, type: 'text/xml', body: 'name=x', message: 'The XML is not well-formed at line 1' },
  'JSON that breaks off': {
    status: 400,
    type: 'application/json',
    body: '{"workspace":\n{"name":"x"',
    message: "The JSON is not well-formed at line 2, column 12: ',' or '}' was expected, but the text ends",
  },
  'JSON with a member twice': {
    status: 400,
    type: 'application/json',
    body: '{"workspace":{"name":"a","name":"b"}}',
    message: "the member 'name' is given twice",
  },
  'no JSON at all': {
    status: 400,
    type: 'application/json',
    body: 'name=x',
    message: 'The JSON is not well-formed at line 1',
  },
  'another root': {
    status: 400,
    type: 'text/xml',
    body: '<datastore/>',
    message: "Unexpected document type. Expected a 'workspace' document, but the body contains 'datastore'.",
  },
  'no root': { status: 400, type: 'application/json', body: '{"name":"x"}', message: "but the body contains 'name'." },
  'wrong types': {
    status: 400,
    type: 'application/json',
    body: '{"workspace":{"name":{"first":"a"},"isolated":"perhaps"}}',
    message:
      "workspace.name: text was expected, but an object was found; workspace.isolated: true or false was expected, but 'perhaps' was found",
  },
  'a document type': {
    status: 400,
    type: 'text/xml',
    body: '<!DOCTYPE workspace><workspace/>',
    message: 'The XML contains a DOCTYPE declaration.',
  },
  'a billion laughs': {
    status: 400,
    type: 'text/xml',
    body: billionLaughs,
    message: 'The XML contains a DOCTYPE declaration.',
  },
  'an undefined entity': {
    status: 400,
    type: 'text/xml',
    body: '<workspace><name>&xxe;</name></workspace>',
    message: "the entity '&xxe;' is not defined",
  },
  'XML that is too deep': {
    status: 400,
    type: 'text/xml',
    body: deepXml,
    message: 'The document is nested deeper than 100 levels.',
  },
  'JSON that is too deep': {
    status: 400,
    type: 'application/json',
    body: deepJson,
    message: 'The document is nested deeper than 100 levels.',
  },
  'arrays that are too deep': {
    status: 400,
    type: 'application/json',
    body: deepArrays,
    message: 'The document is nested deeper than 100 levels.',
  },
  'too many elements': {
    status: 413,
    type: 'text/xml',
    body: busyXml,
    message: 'The body exceeds the limit of 1048576 bytes',
  },
  'too many attributes': {
    status: 413,
    type: 'text/xml',
    body: busyAttributes,
    message: 'The body exceeds the limit of 1048576 bytes',
  },
  'too many items': {
    status: 400,
    type: 'application/json',
    body: busyJson,
    message: 'contains more than 500000 elements, attributes or members',
  },
  'a huge number': { status: 400, type: 'application/json', body: hugeNumber, message: 'it is longer than 200 bytes' },
  'a huge name': { status: 400, type: 'application/json', body: hugeName, message: 'it is longer than 200 bytes' },
  'a huge flag': {
    status: 400,
    type: 'application/json',
    body: hugeFlag,
    message: "workspace.isolated: true or false was expected, but 'xxx",
  },
  'a huge root': { status: 400, type: 'text/xml', body: hugeRoot, message: "Expected a 'workspace' document" },
  'everything wrong at once': {
    status: 400,
    type: 'application/json',
    body: manyWrongs,
    message: "workspace.metadata: the value of '0' must be a simple value",
  },
  'too many bytes': {
    status: 413,
    type: 'text/xml',
    body: `<workspace><name>${'x'.repeat(10_485_760)}</name></workspace>`,
    message: 'The body exceeds the limit of 1048576 bytes',
  },
  'a form': {
    status: 415,
    type: 'application/x-www-form-urlencoded',
    body: 'workspace=x',
    message: "Unsupported Content-Type 'application/x-www-form-urlencoded'. This resource accepts application/xml",
  },
  'an upload form': {
    status: 415,
    type: 'multipart/form-data; boundary=x',
    body: '--x--',
    message: "Unsupported Content-Type 'multipart/form-data'",
  },
  'plain text': {
    status: 415,
    type: 'text/plain',
    body: '<workspace><name>x</name></workspace>',
    message: "Unsupported Content-Type 'text/plain'",
  },
  'a type that is none': { status: 415, type: 'garbage', body: '<workspace><name>x</name></workspace>', message: '' },
  'an unknown charset': {
    status: 400,
    type: 'text/xml; charset=klingon',
    body: '<workspace/>',
    message: "could not be decoded as text in the encoding 'klingon'",
  },
  'a wrong charset': {
    status: 400,
    type: 'text/xml; charset=utf-8',
    body: Buffer.from('<workspace><name>ü</name></workspace>', 'latin1'),
    message: "could not be decoded as text in the encoding 'utf-8'",
  },
  'the wrong format': {
    status: 400,
    type: 'application/json',
    body: '<workspace><name>x</name></workspace>',
    message: 'The JSON is not well-formed at line 1, column 1',
  },
  nothing: {
    status: 400,
    type: 'text/xml',
    body: '',
    message: "The request has no body. Expected a 'workspace' document.",
  },
  space: {
    status: 400,
    type: 'application/json',
    body: ' \n',
    message: "The request has no body. Expected a 'workspace' document.",
  },
};
