/** The parts of capabilities that WMS 1.1.1 and 1.3.0 share. */
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import type { CapabilitiesContent, ListedLink, ListedMap, ListedStyle } from './content.ts';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

export function writeOnlineResource(href: string): string {
  return `<OnlineResource ${XLINK} xlink:type="simple" xlink:href="${escapeAttribute(href)}"/>`;
}

export function writeKeywordList(words: readonly string[]): string {
  const items = words.map((word) => `<Keyword>${escapeText(word)}</Keyword>`);
  return items.length === 0 ? '' : `<KeywordList>${items.join('')}</KeywordList>`;
}

/** Up to the access constraints; 1.3.0 has further elements. */
export function writeServiceParts(
  name: string,
  { service, contact, address }: Pick<CapabilitiesContent, 'service' | 'contact' | 'address'>,
): string {
  return `<Name>${name}</Name>
<Title>${escapeText(service.title)}</Title>
${writeTextElement('Abstract', service.abstract)}${writeKeywordList(service.keywords)}
${writeOnlineResource(service.onlineResource || address)}
${writeContactInformation(contact)}
${writeTextElement('Fees', service.fees)}${writeTextElement('AccessConstraints', service.accessConstraints)}`;
}

function writeContactInformation(contact: CapabilitiesContent['contact']): string {
  const primary =
    contact.person === '' && contact.organization === ''
      ? ''
      : `<ContactPersonPrimary><ContactPerson>${escapeText(contact.person)}</ContactPerson><ContactOrganization>${escapeText(contact.organization)}</ContactOrganization></ContactPersonPrimary>`;
  const places = [contact.deliveryPoint, contact.city, contact.administrativeArea, contact.postalCode, contact.country];
  const [address = '', city = '', state = '', code = '', country = ''] = places.map(escapeText);
  const postal = places.every((each) => each === '')
    ? ''
    : `<ContactAddress><AddressType>${escapeText(contact.addressType || 'postal')}</AddressType><Address>${address}</Address><City>${city}</City><StateOrProvince>${state}</StateOrProvince><PostCode>${code}</PostCode><Country>${country}</Country></ContactAddress>`;
  const parts = [
    primary,
    writeTextElement('ContactPosition', contact.position),
    postal,
    writeTextElement('ContactVoiceTelephone', contact.phone),
    writeTextElement('ContactFacsimileTelephone', contact.facsimile),
    writeTextElement('ContactElectronicMailAddress', contact.email),
  ].join('');
  return parts === '' ? '' : `<ContactInformation>${parts}</ContactInformation>`;
}

export function writeOperation(
  name: string,
  formats: readonly string[],
  { address }: Pick<CapabilitiesContent, 'address'>,
): string {
  const where = writeOnlineResource(address);
  return `<${name}>${formats.map((format) => `<Format>${escapeText(format)}</Format>`).join('')}<DCPType><HTTP><Get>${where}</Get><Post>${where}</Post></HTTP></DCPType></${name}>
`;
}

export function writeExceptionFormats(names: readonly string[]): string {
  return `<Exception>${names.map((name) => `<Format>${name}</Format>`).join('')}</Exception>`;
}

/** The beginning of a layer, up to its CRSs. */
export function writeLayerHead({ name, title, abstract, keywords, isQueryable, isOpaque }: ListedMap): string {
  return `<Layer queryable="${isQueryable ? 1 : 0}" opaque="${isOpaque ? 1 : 0}">
${name === undefined ? '' : `<Name>${escapeText(name)}</Name>`}<Title>${escapeText(title)}</Title>${writeTextElement('Abstract', abstract)}${writeKeywordList(keywords)}
`;
}

/** From the attribution to the styles. */
export function writeLayerRemarks(layer: ListedMap): string {
  return [
    writeAttribution(layer),
    ...layer.authorityURLs.map(
      ({ name, href }) => `<AuthorityURL name="${escapeAttribute(name)}">${writeOnlineResource(href)}</AuthorityURL>`,
    ),
    ...layer.identifiers.map(
      ({ authority, identifier }) =>
        `<Identifier authority="${escapeAttribute(authority)}">${escapeText(identifier)}</Identifier>`,
    ),
    ...layer.metadata.map(
      (link) => `<MetadataURL type="${escapeAttribute(link.type)}">${writeLinkParts(link)}</MetadataURL>`,
    ),
    ...layer.data.map((link) => `<DataURL>${writeLinkParts(link)}</DataURL>`),
    ...layer.styles.map(writeStyle),
  ].join('');
}

function writeLinkParts({ format, href }: ListedLink): string {
  return `<Format>${escapeText(format)}</Format>${writeOnlineResource(href)}`;
}

function writeAttribution({ attribution: of }: ListedMap): string {
  if (of === undefined) return '';
  const { title, href, logoURL, logoWidth, logoHeight, logoType } = of;
  const logo =
    logoURL === null || logoURL === ''
      ? ''
      : `<LogoURL width="${logoWidth}" height="${logoHeight}"><Format>${escapeText(logoType || 'image/png')}</Format>${writeOnlineResource(logoURL)}</LogoURL>`;
  const parts = `${writeTextElement('Title', title ?? '')}${href === null || href === '' ? '' : writeOnlineResource(href)}${logo}`;
  return parts === '' ? '' : `<Attribution>${parts}</Attribution>\n`;
}

function writeStyle({ name, title, abstract, legend }: ListedStyle): string {
  return `<Style><Name>${escapeText(name)}</Name><Title>${escapeText(title)}</Title>${writeTextElement('Abstract', abstract)}<LegendURL width="${legend.width}" height="${legend.height}"><Format>${escapeText(legend.format)}</Format>${writeOnlineResource(legend.href)}</LegendURL></Style>
`;
}
