import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readDefinition, readDefinitionFiles } from './read-definition.ts';

const read = (files: Readonly<Record<string, string>>, isStrict = false) =>
  readDefinition(new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])), { isStrict });

const postgis = `SPI=org.geotools.data.postgis.PostgisNGDataStoreFactory
host=db.example.com
port=5432
database=mosaics
schema=public
user=anna
passwd=secret
Loose\\ bbox=true
Estimated\\ extends=false
`;

const auxiliary = `<Indexer><coverages>
  <coverage><schema name="O3"><attributes>the_geom:Polygon,imageindex:Integer,time:java.util.Date,elevation:Double</attributes></schema>
    <origName>o3_mean</origName><name>O3</name></coverage>
  <coverage><schema name="NO2"><attributes>the_geom:Polygon,imageindex:Integer</attributes></schema><origName>NO2</origName><name>NO2</name></coverage>
</coverages></Indexer>`;

const emptyMosaic = {
  'datastore.properties': postgis,
  'aux.xml': auxiliary,
  'indexer.xml': `<?xml version="1.0" encoding="UTF-8"?>
<Indexer>
  <domains>
    <domain name="time"><attributes><attribute>time</attribute></attributes></domain>
    <domain name="elevation"><attributes><attribute>elevation</attribute></attributes></domain>
    <domain name="fileDate"><attributes><attribute ref="dates">fileDate</attribute></attributes></domain>
  </domains>
  <schemas><schema name="default">
    <attributes>the_geom:Polygon,location:String,imageindex:Integer,time:java.util.Date,elevation:Double,fileDate:java.util.Date,updated:java.util.Date</attributes>
  </schema></schemas>
  <coverages>
    <coverage><name>O3</name><schema ref="default"/><domains><domain ref="time"/><domain ref="elevation"/></domains></coverage>
    <coverage><name>NO2</name><schema ref="default"/><domains><domain ref="time"/></domains></coverage>
  </coverages>
  <collectors>
    <collector name="dates"><value>[0-9]{8}</value><spi>TimestampFileNameExtractorSPI</spi><mapped>fileDate</mapped></collector>
    <collector name="updates"><value>MODIFY_TIME</value><spi>RuntimeExtractorSPI</spi><mapped>updated</mapped></collector>
  </collectors>
  <parameters>
    <parameter name="AuxiliaryFile" value="aux.xml"/>
    <parameter name="AbsolutePath" value="true"/>
    <parameter name="CanBeEmpty" value="true"/>
  </parameters>
</Indexer>`,
};

describe('auxiliary file', () => {
  it('rejects the coverage name a/b even if the indexer names other coverages', async () => {
    const files = {
      'aux.xml':
        '<Indexer><coverages><coverage><origName>o3</origName><name>a/b</name></coverage></coverages></Indexer>',
      'indexer.xml':
        '<Indexer><coverages><coverage><name>O3</name></coverage></coverages><parameters><parameter name="AuxiliaryFile" value="aux.xml"/></parameters></Indexer>',
    };

    await expect(read(files)).rejects.toMatchObject({
      code: 'mosaic-definition-invalid',
      status: 400,
      message: expect.stringContaining("'name' in aux.xml, line 1: 'a/b' is not a valid coverage name"),
    });
  });

  it('can map a variable with an invalid name to a valid coverage name', async () => {
    const { definition } = await read({
      'aux.xml':
        '<Indexer><coverages><coverage><origName>a:b</origName><name>ab</name></coverage></coverages></Indexer>',
      'indexer.properties': 'AuxiliaryFile=aux.xml',
    });

    expect(definition.coverages).toMatchObject([{ name: 'ab', originalName: 'a:b' }]);
  });
});

describe('mosaic without a definition', () => {
  it('contains images and uses the embedded index', async () => {
    expect(await read({})).toEqual({
      definition: {
        canBeEmpty: false,
        isAbsolutePath: false,
        wildcard: '*.*',
        isRecursive: true,
        domains: [],
        coverages: [],
        collectors: [],
        index: { kind: 'embedded' },
      },
      warnings: [],
    });
  });
});

describe('indexer.properties', () => {
  it('defines the index schema, the value collectors and the harvested files', async () => {
    const { definition, warnings } = await read({
      'indexer.properties': `# times and elevations of file names
Name=temperature
Schema=*the_geom:Polygon,location:String,\\
  ingestion:java.util.Date,elevation:Double,low:Integer,high:Integer
PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](ingestion),DoubleFileNameExtractorSPI[elevationregex](elevation),IntegerFileNameExtractorSPI[range](low,high)
TimeAttribute=ingestion
ElevationAttribute=elevation
AdditionalDomainAttributes=depth(low,high)
Wildcard=*.tif
Recursive=false
AbsolutePath=true
CanBeEmpty=true
MosaicCRS=EPSG:32632
Envelope2D=10,40 12,44
CoverageNameCollectorSPI=org.geotools.gce.imagemosaic.namecollector.FileNameRegexNameCollectorSPI:regex=^[a-z]+
`,
      'timeregex.properties': "regex=[0-9]{8}T[0-9]{6}Z,format=yyyyMMdd'T'HHmmss'Z',useHighTime=true",
      'elevationregex.properties': 'regex=(?<=_z)\\\\d{1,4}\nfullPath=true',
      'range.properties': 'regex=\\\\d+',
    });

    expect(warnings).toEqual([]);
    expect(definition).toMatchObject({
      name: 'temperature',
      schema: [
        { name: 'the_geom', role: 'footprint' },
        { name: 'location', role: 'location' },
        { name: 'ingestion', type: 'timestamp' },
        { name: 'elevation', type: 'double' },
        { name: 'low', type: 'integer' },
        { name: 'high', type: 'integer' },
      ],
      collectors: [
        {
          kind: 'timestamp',
          attributes: ['ingestion'],
          regex: '[0-9]{8}T[0-9]{6}Z',
          format: "yyyyMMdd'T'HHmmss'Z'",
          isHighTime: true,
          usesFullPath: false,
        },
        { kind: 'number', type: 'double', attributes: ['elevation'], regex: '(?<=_z)\\d{1,4}', usesFullPath: true },
        { kind: 'number', type: 'integer', attributes: ['low', 'high'], regex: '\\d+' },
      ],
      domains: [
        { kind: 'time', name: 'time', attributes: ['ingestion'] },
        { kind: 'elevation', name: 'elevation', attributes: ['elevation'] },
        { kind: 'custom', name: 'depth', attributes: ['low', 'high'] },
      ],
      wildcard: '*.tif',
      isRecursive: false,
      isAbsolutePath: true,
      canBeEmpty: true,
      crs: 'EPSG:32632',
      envelope: { minX: 10, minY: 40, maxX: 12, maxY: 44 },
      nameCollector: { regex: '^[a-z]+', usesFullPath: false },
    });
  });

  it.each([
    ['TimestampFileNameExtractorSPI[r]', { kind: 'timestamp', regex: '\\d+' }],
    ['ByteFileNameExtractorSPI[r]', { kind: 'number', type: 'byte' }],
    ['ShortFileNameExtractorSPI[r]', { kind: 'number', type: 'short' }],
    ['IntegerFileNameExtractorSPI[r]', { kind: 'number', type: 'integer' }],
    ['LongFileNameExtractorSPI[r]', { kind: 'number', type: 'long' }],
    ['FloatFileNameExtractorSPI[r]', { kind: 'number', type: 'float' }],
    ['DoubleFileNameExtractorSPI[r]', { kind: 'number', type: 'double' }],
    ['org.geotools.gce.imagemosaic.properties.string.StringFileNameExtractorSPI[r]', { kind: 'string' }],
    ['CurrentDateExtractorSPI', { kind: 'current-date' }],
    ['FSDateExtractorSPI', { kind: 'file-date' }],
    ['DateExtractorSPI', { kind: 'tiff-date' }],
    ['ResolutionExtractorSPI', { kind: 'resolution' }],
    ['ResolutionXExtractorSPI', { kind: 'resolution-x' }],
    ['ResolutionYExtractorSPI', { kind: 'resolution-y' }],
    ['CRSExtractorSPI', { kind: 'crs' }],
    ['RuntimeExtractorSPI[MODIFY_TIME]', { kind: 'file-date' }],
  ])('supports the collector %s', async (written, expected) => {
    const { definition } = await read({
      'indexer.properties': `PropertyCollectors=${written}(a)`,
      'r.properties': 'regex=\\\\d+',
    });

    expect(definition.collectors).toEqual([expect.objectContaining({ attributes: ['a'], ...expected })]);
  });

  it.each([
    ['CanBeEmpty=maybe', "'CanBeEmpty' in indexer.properties, line 1: it must be true or false, not 'maybe'"],
    [
      '\n\nSchema=the_geom:Polygon,location:Text',
      "'Schema' in indexer.properties, line 3: attribute 'location' has the unknown type 'Text'",
    ],
    ['Schema=location:String', 'one geometry'],
    ['Schema=the_geom:Polygon,a:String', "the location attribute 'location' is required"],
    ['Schema=the_geom:Polygon,location:String,Location:String', 'two attributes'],
    ['Schema=the_geom:Point,location:String', "type 'Point'"],
    ['Schema=the_geom:Polygon,location:String\nTimeAttribute=time', "'TimeAttribute' in indexer.properties, line 2"],
    ['AdditionalDomainAttributes=a(b', 'is not a valid domain'],
    ['PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)', "the file 'timeregex.properties'"],
    ['PropertyCollectors=TimestampFileNameExtractorSPI', 'is not a valid collector'],
    ['PropertyCollectors=TimestampFilenameExtractSPI[r](time)', 'unknown collector; use TimestampFileNameExtractorSPI'],
    ['PropertyCollectors=StringFileNameExtractorSPI[bad](a)', "'regex' in bad.properties, line 2: at character 1"],
    [
      'PropertyCollectors=StringFileNameExtractorSPI[empty](a)',
      "'regex' in empty.properties, line 1: a regular expression",
    ],
    ['PropertyCollectors=TimestampFileNameExtractorSPI[format](a)', "'format' in format.properties"],
    ['PropertyCollectors=RuntimeExtractorSPI[BIRTH](a)', "'BIRTH' is not a supported file time"],
    ['Schema=the_geom:Polygon,location:String\nPropertyCollectors=CurrentDateExtractorSPI(a)', "attribute 'a'"],
    ['MosaicCRS=EPSG:999999', 'an unknown coordinate reference system'],
    ['Envelope2D=1,2', 'the lower left'],
    ['PathType=SIDEWAYS', 'RELATIVE or ABSOLUTE'],
    ['AuxiliaryFile=../../etc/passwd', "the file '../../etc/passwd' does not exist"],
    ['Name=a\nName=b', "'Name' in indexer.properties, line 2: it is a duplicate of line 1"],
    ['Name=\\u12', 'four hexadecimal digits'],
    ['CoverageNameCollectorSPI=mine', 'FileNameRegexNameCollectorSPI'],
    [
      'Name=../../evil',
      "'Name' in indexer.properties, line 1: '../../evil' is not a valid coverage name, because it contains the character /; a name has at most 200 bytes, contains no slash, backslash, colon or control character, and neither begins nor ends with a dot or a space.",
    ],
    ['CanBeEmpty=true\nName=a/b', "'Name' in indexer.properties, line 2: 'a/b' is not a valid coverage name"],
    ['Name=a\\\\b', 'it contains the character \\;'],
    ['Name=acme:rain', 'it contains the character :;'],
    ['Name=.hidden', 'it begins with a dot;'],
    ['Name=*', 'it is reserved;'],
    [`Name=${'x'.repeat(201)}`, 'it is longer than 200 bytes;'],
    ['Name=a\\u0000b', 'it contains a control character;'],
  ])('rejects %j and names the key and the line', async (text, reason) => {
    const files = {
      'indexer.properties': text,
      'bad.properties': '# bad\nregex=(',
      'empty.properties': '',
      'format.properties': 'regex=.*,format=QQQ',
    };

    await expect(read(files)).rejects.toMatchObject({
      code: 'mosaic-definition-invalid',
      status: 400,
      message: expect.stringContaining(reason),
    });
  });

  it('warns about options without effect and unknown options', async () => {
    const { warnings } = await read({
      'indexer.properties': 'Caching=false\nTimeAtribute=time\nTypeName=a\nUseExistingSchema=true\n',
      'mosaic.properties': 'Levels=1,1',
    });

    expect(warnings).toEqual([
      "'Caching' (indexer.properties, line 1) is ignored: granules are always found through the index.",
      "'TimeAtribute' (indexer.properties, line 2) is ignored: the name is unknown; the closest known name is 'TimeAttribute'.",
      "'TypeName' (indexer.properties, line 3) is ignored: an index always has the name of its coverage.",
      "'UseExistingSchema' (indexer.properties, line 4) is ignored: the server creates the index itself; harvest the files that the table lists.",
      "The file 'mosaic.properties' is ignored: the definition does not refer to it.",
    ]);
  });

  it('rejects unknown options in strict mode', async () => {
    await expect(read({ 'indexer.properties': 'TimeAtribute=time\n' }, true)).rejects.toThrow(
      "'TimeAtribute' in indexer.properties, line 1: the name is unknown; the closest known name is 'TimeAttribute'",
    );
  });
});

describe('indexer.xml', () => {
  it('defines several coverages together with an auxiliary file', async () => {
    const { definition, warnings } = await read(emptyMosaic);

    expect(warnings).toEqual([]);
    expect(definition).toMatchObject({
      canBeEmpty: true,
      isAbsolutePath: true,
      coverages: [
        {
          name: 'O3',
          originalName: 'o3_mean',
          schema: ['the_geom', 'location', 'imageindex', 'time', 'elevation', 'fileDate', 'updated'].map((name) => ({
            name,
          })),
          domains: [
            { kind: 'time', attributes: ['time'] },
            { kind: 'elevation', attributes: ['elevation'] },
          ],
        },
        { name: 'NO2', domains: [{ kind: 'time' }] },
      ],
      collectors: [
        { kind: 'timestamp', regex: '[0-9]{8}', attributes: ['fileDate'] },
        { kind: 'file-date', attributes: ['updated'] },
      ],
    });
  });

  it('reads the coverages from the auxiliary file and adds the location attribute to their schemas', async () => {
    const { definition } = await read({
      'indexer.xml': '<Indexer><parameters><parameter name="AuxiliaryFile" value="aux.xml"/></parameters></Indexer>',
      'aux.xml': auxiliary,
    });

    expect(definition.coverages).toMatchObject([
      {
        name: 'O3',
        originalName: 'o3_mean',
        schema: [{ name: 'the_geom' }, { name: 'location' }, { name: 'imageindex' }, {}, {}],
      },
      { name: 'NO2', schema: [{ name: 'the_geom' }, { name: 'location' }, { name: 'imageindex' }] },
    ]);
  });

  it('takes precedence over indexer.properties and warns about it', async () => {
    const { definition, warnings } = await read({
      'indexer.xml':
        '<Indexer><parameters><parameter name="Name"><value>one</value></parameter></parameters></Indexer>',
      'indexer.properties': 'Name=other',
    });

    expect(definition.name).toBe('one');
    expect(warnings).toEqual(['indexer.properties is ignored because indexer.xml exists.']);
  });

  it.each([
    ['<!DOCTYPE x [<!ENTITY a "b">]><Indexer/>', 'DOCTYPE'],
    ['<Indexer>', 'line 1'],
    ['<Mosaic/>', 'the root element must be Indexer'],
    [
      '<Indexer>\n<coverages>\n<coverage><schema ref="none"/><name>a</name></coverage></coverages></Indexer>',
      "line 3: no schema is named 'none'",
    ],
    ['<Indexer><coverages><coverage/></coverages></Indexer>', "the element 'name' is required"],
    [
      '<Indexer><coverages><coverage><name>a</name></coverage><coverage><name>a</name></coverage></coverages></Indexer>',
      'two coverages',
    ],
    [
      '<Indexer>\n<coverages><coverage>\n<name>../../evil</name></coverage></coverages></Indexer>',
      "'name' in indexer.xml, line 3: '../../evil' is not a valid coverage name, because it contains the character /;",
    ],
    [
      '<Indexer><coverages><coverage><origName>a:b</origName></coverage></coverages></Indexer>',
      "'origName' in indexer.xml, line 1: 'a:b' is not a valid coverage name",
    ],
    ['<Indexer><parameters><parameter name="Name" value="a/b"/></parameters></Indexer>', "'a/b' is not a valid"],
    ['<Indexer><domains><domain name="a"/></domains></Indexer>', 'must name one attribute'],
    [
      '<Indexer><domains><domain name="a"><attributes><attribute ref="x">a</attribute></attributes></domain></domains></Indexer>',
      "no collector is named 'x'",
    ],
    [
      '<Indexer><collectors><collector><spi>StringFileNameExtractorSPI</spi><value>(</value><mapped>a</mapped></collector></collectors></Indexer>',
      'not closed',
    ],
    [
      '<Indexer><collectors><collector><spi>StringFileNameExtractorSPI</spi><value>a</value></collector></collectors></Indexer>',
      'must name at least one attribute',
    ],
    ['<Indexer><parameters><parameter value="a"/></parameters></Indexer>', "the attribute 'name' is required"],
  ])('rejects %s', async (text, reason) => {
    await expect(read({ 'indexer.xml': text })).rejects.toMatchObject({
      code: 'mosaic-definition-invalid',
      message: expect.stringContaining(reason),
    });
  });

  it('warns about unknown elements', async () => {
    const { warnings } = await read({ 'indexer.xml': '<Indexer>\n<multipleBandsDimensions/>\n</Indexer>' });

    expect(warnings).toEqual(["'multipleBandsDimensions' (indexer.xml, line 2) is ignored: the name is unknown."]);
  });
});

describe('datastore.properties', () => {
  it('names a PostGIS database with the parameters of a store', async () => {
    const { definition } = await read({ 'datastore.properties': postgis });

    expect(definition.index).toEqual({
      kind: 'postgis',
      parameters: {
        dbtype: 'postgis',
        host: 'db.example.com',
        port: '5432',
        database: 'mosaics',
        schema: 'public',
        user: 'anna',
        passwd: 'secret',
        'Loose bbox': 'true',
        'Estimated extends': 'false',
      },
    });
  });

  it.each(['org.geotools.data.h2.H2DataStoreFactory', 'org.geotools.data.shapefile.ShapefileDataStoreFactory'])(
    'uses the embedded index for %s and warns about it',
    async (factory) => {
      const { definition, warnings } = await read({ 'datastore.properties': `SPI=${factory}\ndatabase=x` });

      expect(definition.index).toEqual({ kind: 'embedded' });
      expect(warnings).toEqual([
        `datastore.properties requests an index of type ${factory}. The embedded database is used instead.`,
      ]);
    },
  );

  it('can name a store of the catalog', async () => {
    const { definition } = await read({ 'datastore.properties': 'StoreName=acme:index' });

    expect(definition.index).toEqual({ kind: 'store', workspace: 'acme', name: 'index' });
  });

  it.each([
    ['host=x', "'SPI' in datastore.properties, line 1: it is required"],
    ['SPI=org.geotools.data.oracle.OracleNGDataStoreFactory', 'is not a supported index type'],
    [
      'SPI=org.geotools.data.postgis.PostgisNGJNDIDataStoreFactory\njndiReferenceName=java:x',
      'is not a supported index type',
    ],
    [`${postgis}jndiReferenceName=x`, "'jndiReferenceName' in datastore.properties, line 10"],
    [postgis.replace('db.example.com', '/var/run'), "'host' in datastore.properties, line 2"],
    [postgis.replace('5432', 'many'), "'port' in datastore.properties, line 3"],
    [postgis.replace('mosaics', ''), "'database' in datastore.properties, line 4"],
  ])('rejects %j', async (text, reason) => {
    await expect(read({ 'datastore.properties': text })).rejects.toMatchObject({
      code: 'mosaic-definition-invalid',
      message: expect.stringContaining(reason),
    });
  });

  it('does not reveal its secrets', async () => {
    await expect(read({ 'datastore.properties': postgis.replace('5432', 'many') })).rejects.not.toThrow('secret');
  });
});

describe('mosaic folder', () => {
  const folder = useTemporaryFolder('mosaic-definition');

  it('is defined by the files in the folder and ignores links', async () => {
    await writeFile(join(folder, 'indexer.properties'), 'Name=a');
    await writeFile(join(folder, 'world.tif'), 'x');
    await writeFile(join(folder, 'world.tif.aux.xml'), '<PAMDataset/>');
    await mkdir(join(folder, 'more.properties'));
    await symlink('/etc/hosts', join(folder, 'link.properties'));

    const files = await readDefinitionFiles(folder);

    expect([...files.keys()]).toEqual(['indexer.properties']);
  });
});
