/** Writes the schemas that uploads refer to but do not contain. */
import { writeGmlSchema } from './gml-schema.ts';
import { GML, GML_32, ISO, XLINK } from './well-known.ts';
import { link, writeComplexType, writeElement, writeSchema, writeTextType } from './write-schema.ts';

function writeXlinkSchema(): string {
  const names = ['href', 'role', 'arcrole', 'title', 'show', 'actuate'];
  const group = names.map((name) => `<xs:attribute ref="xlink:${name}"/>`).join('');
  return writeSchema(XLINK, [
    ...names.map((name) => `<xs:attribute name="${name}" type="xs:string"/>`),
    ...['simpleLink', 'simpleAttrs'].map((name) => `<xs:attributeGroup name="${name}">${group}</xs:attributeGroup>`),
  ]);
}

/** Each value is wrapped in its own element. */
function writeGcoSchema(): string {
  const values = {
    CharacterString: 'xs:string',
    Boolean: 'xs:boolean',
    Integer: 'xs:integer',
    Decimal: 'xs:decimal',
    Real: 'xs:double',
    Date: 'xs:string',
    DateTime: 'xs:dateTime',
    Distance: 'gml32:LengthType',
    Measure: 'gml32:MeasureType',
    Length: 'gml32:LengthType',
  };
  return writeSchema(`${ISO}gco`, [
    '<xs:attribute name="nilReason" type="xs:string"/>',
    `<xs:attributeGroup name="ObjectReference">${link}<xs:attribute name="uuidref" type="xs:string"/></xs:attributeGroup>`,
    '<xs:attributeGroup name="ObjectIdentification"><xs:attribute name="id" type="xs:ID"/><xs:attribute name="uuid" type="xs:string"/></xs:attributeGroup>',
    writeComplexType('AbstractObject_Type', { more: '<xs:attributeGroup ref="gco:ObjectIdentification"/>' }),
    writeTextType('CodeListValue_Type', 'xs:string', {
      codeList: 'xs:anyURI',
      codeListValue: 'xs:anyURI',
      codeSpace: 'xs:anyURI',
    }),
    ...Object.entries(values).flatMap(([name, type]) => [
      writeElement(name, type),
      writeComplexType(`${name}_PropertyType`, {
        children: [`gco:${name}?`],
        more: '<xs:attribute ref="gco:nilReason"/>',
      }),
    ]),
  ]);
}

/** Returns the schemas by namespace. */
export function writeWellKnownSchemas(): ReadonlyMap<string, string> {
  return new Map([
    [GML, writeGmlSchema('gml')],
    [GML_32, writeGmlSchema('gml32')],
    [XLINK, writeXlinkSchema()],
    [`${ISO}gco`, writeGcoSchema()],
  ]);
}
