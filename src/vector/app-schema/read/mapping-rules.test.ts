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

const units: PropertyFiles = {
  units: ['_=key:String,title:String,age:Integer', 'u1=GRA|Granite|300', 'u2=SCH|Schist|'],
};

function unit(...attributes: readonly AttributeSpec[]): TypeSpec {
  return { target: 'ro:RockUnit', table: 'units', attributes: [{ target: 'ro:RockUnit', id: 'key' }, ...attributes] };
}

async function printed(types: TypeSpec | readonly TypeSpec[], data: PropertyFiles = units, name = 'RockUnit') {
  const source = await files.open('target' in types ? [types] : types, data);
  return (await printMapped(source, name)).split('\n');
}

describe('mapped properties', () => {
  it('are omitted without a value unless the mapping encodes empty elements', async () => {
    expect(await printed(unit({ target: 'ro:age', ocql: 'age' }))).toEqual([
      '<ro:RockUnit gml:id="GRA">',
      '  <ro:age>300</ro:age>',
      '</ro:RockUnit>',
      '<ro:RockUnit gml:id="SCH"/>',
    ]);
    expect((await printed(unit({ target: 'ro:age', ocql: 'age', ifEmpty: true }))).slice(3)).toEqual([
      '<ro:RockUnit gml:id="SCH">',
      '  <ro:age/>',
      '</ro:RockUnit>',
    ]);
  });

  it('are omitted if they have only XML attributes, except for references and nil', async () => {
    const withClient = (client: Readonly<Record<string, string>>) =>
      printed(unit({ target: 'ro:age', ocql: 'age', client })).then((lines) => lines.slice(3).join(''));

    expect(await withClient({ uom: "'Ma'" })).toBe('<ro:RockUnit gml:id="SCH"/>');
    expect(await withClient({ 'xlink:href': "'urn:unknown'" })).toContain('<ro:age xlink:href="urn:unknown"/>');
    expect(await withClient({ 'xsi:nil': 'isNull(age)', nilReason: "'unknown'" })).toContain(
      '<ro:age xsi:nil="true" nilReason="unknown"/>',
    );
  });

  it('have the non-null XML attributes of client properties and of attribute paths', async () => {
    const lines = await printed(
      unit(
        {
          target: 'gml:name',
          ocql: 'title',
          client: { codeSpace: "strConcat('urn:', key)", 'xlink:title': 'nothing' },
        },
        { target: 'gml:name/@xml', ocql: "'x'" },
        { target: 'ro:age/@xlink:href', ocql: "'urn:none'" },
        { target: '@ro:state', ocql: "'new'" },
      ),
    );

    expect(lines.slice(0, 4)).toEqual([
      '<ro:RockUnit gml:id="GRA" ro:state="new">',
      '  <gml:name codeSpace="urn:GRA" xml="x">Granite</gml:name>',
      '  <ro:age xlink:href="urn:none"/>',
      '</ro:RockUnit>',
    ]);
  });

  it('are ordered by their index among elements of the same name', async () => {
    const lines = await printed(
      unit(
        { target: 'gml:name[3]', ocql: "'third'" },
        { target: 'ro:age', ocql: 'age' },
        { target: 'gml:name[1]', ocql: "'first'" },
        { target: 'gml:name[2]', ocql: 'nothing' },
        { target: 'ro:use[2]/ro:Use/ro:what', ocql: "'roads'" },
        { target: 'ro:use[1]/ro:Use/ro:what', ocql: "'walls'" },
        { target: 'ro:use[2]/ro:Use/ro:since', ocql: '1900' },
      ),
    );

    expect(lines.slice(1, 16)).toEqual([
      '  <gml:name>first</gml:name>',
      '  <gml:name>third</gml:name>',
      '  <ro:age>300</ro:age>',
      '  <ro:use>',
      '    <ro:Use>',
      '      <ro:what>walls</ro:what>',
      '    </ro:Use>',
      '  </ro:use>',
      '  <ro:use>',
      '    <ro:Use>',
      '      <ro:what>roads</ro:what>',
      '      <ro:since>1900</ro:since>',
      '    </ro:Use>',
      '  </ro:use>',
      '</ro:RockUnit>',
    ]);
  });

  it('can have an id, their own type, untyped parts, and a path that begins with the feature', async () => {
    const lines = await printed(
      unit(
        {
          target: 'ro:RockUnit/ro:use/ro:Use',
          id: "strConcat('use.', key)",
          node: 'ro:UseType',
          anonymous: { 'ro:what': "'walls'" },
        },
        { target: 'ro:use/ro:Use/ro:since', ocql: '1900' },
      ),
    );

    expect(lines.slice(1, 7)).toEqual([
      '  <ro:use>',
      '    <ro:Use gml:id="use.GRA" xsi:type="ro:UseType">',
      '      <ro:what>walls</ro:what>',
      '      <ro:since>1900</ro:since>',
      '    </ro:Use>',
      '  </ro:use>',
    ]);
  });

  it('are references if their expression returns one', async () => {
    expect((await printed(unit({ target: 'ro:age', ocql: "toXlinkHref(strConcat('urn:age:', age))" })))[1]).toBe(
      '  <ro:age xlink:href="urn:age:300"/>',
    );
  });

  it('contain the values of a separate table', async () => {
    const data = {
      ...units,
      names: ['_=of:String,text:String', 'n1=SCH|mica schist', 'n2=GRA|red granite', 'n3=SCH|slate'],
    };
    const values = { column: 'key', table: 'names', key: 'of', value: "strConcat(text, '!')" };

    expect(await printed(unit({ target: 'gml:name', values, multiple: true }), data)).toEqual([
      '<ro:RockUnit gml:id="GRA">',
      '  <gml:name>red granite!</gml:name>',
      '</ro:RockUnit>',
      '<ro:RockUnit gml:id="SCH">',
      '  <gml:name>mica schist!</gml:name>',
      '  <gml:name>slate!</gml:name>',
      '</ro:RockUnit>',
    ]);
  });
});

describe('rows with the same id', () => {
  const scattered: PropertyFiles = {
    units: [
      '_=key:String,title:String,use:String,since:Integer',
      '1=GRA|Granite|walls|1900',
      '2=GRA|Granit|roads|1920',
      '3=SCH|Schist|roofs|1800',
      '4=GRA|Granito||1950',
      '5=LIM|Limestone|walls|1700',
      '6=SCH|Schiefer|walls|',
    ],
  };

  it('form one feature in any order; properties use one value or the value of each row', async () => {
    const lines = await printed(
      unit(
        { target: 'ro:title', ocql: 'title' },
        { target: 'gml:name', ocql: 'title', multiple: true },
        { target: 'ro:use', ocql: 'use', multiple: true },
      ),
      scattered,
    );

    expect(lines).toEqual([
      '<ro:RockUnit gml:id="GRA">',
      '  <ro:title>Granite</ro:title>',
      '  <gml:name>Granite</gml:name>',
      '  <gml:name>Granit</gml:name>',
      '  <gml:name>Granito</gml:name>',
      '  <ro:use>walls</ro:use>',
      '  <ro:use>roads</ro:use>',
      '</ro:RockUnit>',
      '<ro:RockUnit gml:id="SCH">',
      '  <ro:title>Schist</ro:title>',
      '  <gml:name>Schist</gml:name>',
      '  <gml:name>Schiefer</gml:name>',
      '  <ro:use>roofs</ro:use>',
      '  <ro:use>walls</ro:use>',
      '</ro:RockUnit>',
      '<ro:RockUnit gml:id="LIM">',
      '  <ro:title>Limestone</ro:title>',
      '  <gml:name>Limestone</gml:name>',
      '  <ro:use>walls</ro:use>',
      '</ro:RockUnit>',
    ]);
  });

  it('supply the value of the row with a given index, or all values as a list', async () => {
    const lines = await printed(
      unit(
        { target: 'gml:name[1]', ocql: 'title', index: 2 },
        { target: 'gml:name[2]', ocql: 'title', index: 'LAST' },
        { target: 'gml:name[3]', ocql: 'title', index: 3 },
        { target: 'ro:since', ocql: 'since', list: true },
      ),
      scattered,
    );

    expect(lines).toEqual([
      '<ro:RockUnit gml:id="GRA">',
      '  <gml:name>Granit</gml:name>',
      '  <gml:name>Granito</gml:name>',
      '  <gml:name>Granito</gml:name>',
      '  <ro:since>1900 1920 1950</ro:since>',
      '</ro:RockUnit>',
      '<ro:RockUnit gml:id="SCH">',
      '  <gml:name>Schiefer</gml:name>',
      '  <gml:name>Schiefer</gml:name>',
      '  <ro:since>1800</ro:since>',
      '</ro:RockUnit>',
      '<ro:RockUnit gml:id="LIM">',
      '  <gml:name>Limestone</gml:name>',
      '  <ro:since>1700</ro:since>',
      '</ro:RockUnit>',
    ]);
  });

  it('form an object per row with its nested properties; rows with equal ids are merged', async () => {
    const lines = await printed(
      unit(
        { target: 'ro:use', multiple: true, id: 'use' },
        { target: 'ro:use/ro:Use/ro:what', ocql: 'use' },
        { target: 'ro:use/ro:Use/ro:since', ocql: 'since', multiple: true },
      ),
      { units: ['_=key:String,use:String,since:Integer', '1=GRA|walls|1900', '2=GRA|roads|1920', '3=GRA|walls|1950'] },
    );

    expect(lines).toEqual([
      '<ro:RockUnit gml:id="GRA">',
      '  <ro:use gml:id="walls">',
      '    <ro:Use>',
      '      <ro:what>walls</ro:what>',
      '      <ro:since>1900</ro:since>',
      '      <ro:since>1950</ro:since>',
      '    </ro:Use>',
      '  </ro:use>',
      '  <ro:use gml:id="roads">',
      '    <ro:Use>',
      '      <ro:what>roads</ro:what>',
      '      <ro:since>1920</ro:since>',
      '    </ro:Use>',
      '  </ro:use>',
      '</ro:RockUnit>',
    ]);
  });

  it('form separate features if the mapping is not denormalised', async () => {
    const type = { ...unit({ target: 'gml:name', ocql: 'title' }), more: '<isDenormalised>false</isDenormalised>' };

    const features = await readMapped(await files.open([type], scattered), 'RockUnit');

    expect(features.map(({ id }) => id)).toEqual(['GRA', 'GRA', 'SCH', 'GRA', 'LIM', 'SCH']);
  });

  it('contain the properties from other tables once', async () => {
    const values = { column: 'key', table: 'names', key: 'of', value: 'text' };
    const names = ['_=of:String,text:String', 'n1=GRA|rock', 'n2=GRA|rock', 'n3=SCH|slate'];

    const lines = await printed(unit({ target: 'gml:name', values, multiple: true }), { ...scattered, names });

    expect(lines.slice(0, 4)).toEqual([
      '<ro:RockUnit gml:id="GRA">',
      '  <gml:name>rock</gml:name>',
      '  <gml:name>rock</gml:name>',
      '</ro:RockUnit>',
    ]);
  });

  it('are counted and selected as one feature', async () => {
    const source = await files.open([unit({ target: 'gml:name', ocql: 'title', multiple: true })], scattered);

    expect((await readMapped(source, 'RockUnit', { limit: 2 })).map(({ id }) => id)).toEqual(['GRA', 'SCH']);
    expect((await readMapped(source, 'RockUnit', { ids: ['SCH'] }))[0]?.children).toHaveLength(2);
  });
});
