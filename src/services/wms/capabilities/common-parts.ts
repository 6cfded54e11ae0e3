/** The parts of capabilities that WMS 1.1.1 and 1.3.0 write alike. */
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { element } from '../../ows/capabilities-parts.ts';
import type { CapabilitiesContent, ListedLink, ListedMap, ListedStyle } from './content.ts';

const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"';

export function onlineResource(href: string): string {
  return `<OnlineResource ${XLINK} xlink:type="simple" xlink:href="${escapeAttribute(href)}"/>`;
}

export function keywordList(words: readonly string[]): string {
  const items = words.map((word) => `<Keyword>${escapeText(word)}</Keyword>`);
  return items.length === 0 ? '' : `<KeywordList>${items.join('')}</KeywordList>`;
}

/** Up to the access constraints; what follows them is only in 1.3.0. */
export function serviceParts(
  name: string,
  { service, contact, address }: Pick<CapabilitiesContent, 'service' | 'contact' | 'address'>,
): string {
  return `<Name>${name}</Name>
<Title>${escapeText(service.title)}</Title>
${element('Abstract', service.abstract)}${keywordList(service.keywords)}
${onlineResource(service.onlineResource || address)}
${contactInformation(contact)}
${element('Fees', service.fees)}${element('AccessConstraints', service.accessConstraints)}`;
}

function contactInformation(contact: CapabilitiesContent['contact']): string {
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
    element('ContactPosition', contact.position),
    postal,
    element('ContactVoiceTelephone', contact.phone),
    element('ContactFacsimileTelephone', contact.facsimile),
    element('ContactElectronicMailAddress', contact.email),
  ].join('');
  return parts === '' ? '' : `<ContactInformation>${parts}</ContactInformation>`;
}

export function operation(
  name: string,
  formats: readonly string[],
  { address }: Pick<CapabilitiesContent, 'address'>,
): string {
  const where = onlineResource(address);
  return `<${name}>${formats.map((format) => `<Format>${escapeText(format)}</Format>`).join('')}<DCPType><HTTP><Get>${where}</Get><Post>${where}</Post></HTTP></DCPType></${name}>
`;
}

export function exceptionFormats(names: readonly string[]): string {
  return `<Exception>${names.map((name) => `<Format>${name}</Format>`).join('')}</Exception>`;
}

/** The head of a layer, up to its systems. */
export function layerHead({ name, title, abstract, keywords, isQueryable, isOpaque }: ListedMap): string {
  return `<Layer queryable="${isQueryable ? 1 : 0}" opaque="${isOpaque ? 1 : 0}">
${name === undefined ? '' : `<Name>${escapeText(name)}</Name>`}<Title>${escapeText(title)}</Title>${element('Abstract', abstract)}${keywordList(keywords)}
`;
}

/** From the attribution to the styles. */
export function layerRemarks(layer: ListedMap): string {
  return [
    attribution(layer),
    ...layer.authorityURLs.map(
      ({ name, href }) => `<AuthorityURL name="${escapeAttribute(name)}">${onlineResource(href)}</AuthorityURL>`,
    ),
    ...layer.identifiers.map(
      ({ authority, identifier }) =>
        `<Identifier authority="${escapeAttribute(authority)}">${escapeText(identifier)}</Identifier>`,
    ),
    ...layer.metadata.map(
      (link) => `<MetadataURL type="${escapeAttribute(link.type)}">${linkParts(link)}</MetadataURL>`,
    ),
    ...layer.data.map((link) => `<DataURL>${linkParts(link)}</DataURL>`),
    ...layer.styles.map(style),
  ].join('');
}

function linkParts({ format, href }: ListedLink): string {
  return `<Format>${escapeText(format)}</Format>${onlineResource(href)}`;
}

function attribution({ attribution: of }: ListedMap): string {
  if (of === undefined) return '';
  const { title, href, logoURL, logoWidth, logoHeight, logoType } = of;
  const logo =
    logoURL === null || logoURL === ''
      ? ''
      : `<LogoURL width="${logoWidth}" height="${logoHeight}"><Format>${escapeText(logoType || 'image/png')}</Format>${onlineResource(logoURL)}</LogoURL>`;
  const parts = `${element('Title', title ?? '')}${href === null || href === '' ? '' : onlineResource(href)}${logo}`;
  return parts === '' ? '' : `<Attribution>${parts}</Attribution>\n`;
}

function style({ name, title, abstract, legend }: ListedStyle): string {
  return `<Style><Name>${escapeText(name)}</Name><Title>${escapeText(title)}</Title>${element('Abstract', abstract)}<LegendURL width="${legend.width}" height="${legend.height}"><Format>${escapeText(legend.format)}</Format>${onlineResource(legend.href)}</LegendURL></Style>
`;
}
