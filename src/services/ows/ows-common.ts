/** The capabilities sections of OWS Common: provider and operations. */
import { escapeAttribute, escapeText } from '../../lib/xml/escape.ts';
import { writeTextElement } from './capabilities-parts.ts';
import type { Contact, ServiceFacts } from './service-settings.ts';

export interface Provider {
  readonly service: ServiceFacts;
  readonly contact: Contact;
  /** The address of the service. */
  readonly address: string;
}

export function writeServiceIdentification(service: ServiceFacts, type: string, versions: readonly string[]): string {
  return `<ows:ServiceIdentification>
<ows:Title>${escapeText(service.title)}</ows:Title>
${writeTextElement('ows:Abstract', service.abstract)}
${writeKeywords(service.keywords)}
<ows:ServiceType>${type}</ows:ServiceType>
${versions.map((version) => `<ows:ServiceTypeVersion>${version}</ows:ServiceTypeVersion>`).join('')}
<ows:Fees>${escapeText(service.fees)}</ows:Fees>
<ows:AccessConstraints>${escapeText(service.accessConstraints)}</ows:AccessConstraints>
</ows:ServiceIdentification>
`;
}

export function writeKeywords(words: readonly string[]): string {
  const items = words.map((word) => `<ows:Keyword>${escapeText(word)}</ows:Keyword>`);
  return items.length === 0 ? '' : `<ows:Keywords>${items.join('')}</ows:Keywords>`;
}

export function writeServiceProvider({ service, contact, address }: Provider): string {
  const phone = writeTextElement('ows:Voice', contact.phone) + writeTextElement('ows:Facsimile', contact.facsimile);
  const parts = [
    writeTextElement('ows:DeliveryPoint', contact.deliveryPoint),
    writeTextElement('ows:City', contact.city),
    writeTextElement('ows:AdministrativeArea', contact.administrativeArea),
    writeTextElement('ows:PostalCode', contact.postalCode),
    writeTextElement('ows:Country', contact.country),
    writeTextElement('ows:ElectronicMailAddress', contact.email),
  ].join('');
  const page = contact.onlineResource;
  const site = page === '' ? '' : `<ows:OnlineResource xlink:href="${escapeAttribute(page)}"/>`;
  return `<ows:ServiceProvider>
<ows:ProviderName>${escapeText(contact.organization)}</ows:ProviderName>
<ows:ProviderSite xlink:href="${escapeAttribute(service.onlineResource || address)}"/>
<ows:ServiceContact>
${writeTextElement('ows:IndividualName', contact.person)}${writeTextElement('ows:PositionName', contact.position)}
<ows:ContactInfo>${phone === '' ? '' : `<ows:Phone>${phone}</ows:Phone>`}${parts === '' ? '' : `<ows:Address>${parts}</ows:Address>`}${site}</ows:ContactInfo>
</ows:ServiceContact>
</ows:ServiceProvider>
`;
}

/** The allowed values of a parameter. */
export interface AllowedValues {
  readonly name: string;
  readonly values: readonly string[];
}

/** Writes a list of values; the two versions of OWS Common differ here. */
export type WriteAllowedValues = (element: 'Parameter' | 'Constraint', allowed: AllowedValues) => string;

export interface OfferedOperation {
  readonly name: string;
  readonly address: string;
  readonly parameters: readonly AllowedValues[];
  readonly methods: readonly ('GET' | 'POST')[];
}

export function writeOperation(
  { name, address, parameters, methods }: OfferedOperation,
  print: WriteAllowedValues,
): string {
  const url = escapeAttribute(address);
  const get = methods.includes('GET') ? `<ows:Get xlink:href="${url}"/>` : '';
  const post = methods.includes('POST') ? `<ows:Post xlink:href="${url}"/>` : '';
  return `<ows:Operation name="${name}">
<ows:DCP><ows:HTTP>${get}${post}</ows:HTTP></ows:DCP>
${parameters.map((each) => print('Parameter', each)).join('\n')}
</ows:Operation>
`;
}

export function writeValues({ values }: AllowedValues): string {
  return values.map((value) => `<ows:Value>${escapeText(value)}</ows:Value>`).join('');
}
