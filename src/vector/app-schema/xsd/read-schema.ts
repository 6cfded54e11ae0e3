/** Reads one schema document into its parts. */
import { type XmlElement, xmlnsNamespace } from '../../../lib/xml/element.ts';
import { type DiagnosticList, formatExcerpt } from '../diagnostics.ts';
import {
  type AttributeUse,
  builtInTypes,
  type ComplexType,
  createSchemaParts,
  type ElementDeclaration,
  type ExpandedName,
  type NameKey,
  type Occurrence,
  type Particle,
  type SchemaParts,
  type SchemaReference,
  type SimpleType,
  type SourcePosition,
  type TypeDefinition,
  toNameKey,
  usualPrefixes,
  XS,
} from './schema-model.ts';

export interface SchemaDocument {
  readonly namespace: string;
  readonly references: readonly SchemaReference[];
  readonly parts: SchemaParts;
}

/** The namespaces of the prefixes in scope. */
type Scope = ReadonlyMap<string, string>;

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

const once: Occurrence = { min: 1, max: 1 };

/**
 * Returns undefined with a diagnostic if the document is not a schema. `ownNamespace` is that of the including
 * document, which a schema without a namespace adopts.
 */
export function readSchema(
  root: XmlElement,
  file: string,
  ownNamespace: string,
  complaints: DiagnosticList,
): SchemaDocument | undefined {
  if (root.local !== 'schema' || root.uri !== XS) {
    complaints.add(
      file,
      root.line,
      `The root element must be schema in the namespace ${XS}, not '${formatExcerpt(root.name)}'.`,
    );
    return undefined;
  }
  const namespace = findAttribute(root, 'targetNamespace') ?? ownNamespace;
  return new SchemaReader(root, file, namespace, complaints).read();
}

class SchemaReader {
  readonly #root: XmlElement;
  readonly #file: string;
  readonly #namespace: string;
  readonly #complaints: DiagnosticList;
  readonly #isChameleon: boolean;
  readonly #qualifiesElements: boolean;
  readonly #qualifiesAttributes: boolean;

  constructor(root: XmlElement, file: string, namespace: string, complaints: DiagnosticList) {
    this.#root = root;
    this.#file = file;
    this.#namespace = namespace;
    this.#complaints = complaints;
    this.#isChameleon = findAttribute(root, 'targetNamespace') === undefined;
    this.#qualifiesElements = findAttribute(root, 'elementFormDefault') === 'qualified';
    this.#qualifiesAttributes = findAttribute(root, 'attributeFormDefault') === 'qualified';
  }

  read(): SchemaDocument {
    const scope = readScope(this.#root, new Map([['xml', XML_NAMESPACE]]));
    const parts = createSchemaParts();
    const references: SchemaReference[] = [];
    for (const child of listSchemaChildren(this.#root)) {
      const inner = readScope(child, scope);
      if (child.local === 'include' || child.local === 'import' || child.local === 'redefine') {
        references.push(this.#readReference(child.local, child, inner));
      } else {
        this.#readPart(child, inner, parts);
      }
    }
    return { namespace: this.#namespace, references, parts };
  }

  #readReference(kind: SchemaReference['kind'], element: XmlElement, scope: Scope): SchemaReference {
    const redefined = createSchemaParts();
    if (kind === 'redefine') {
      for (const child of listSchemaChildren(element)) this.#readPart(child, readScope(child, scope), redefined);
    }
    const location = findAttribute(element, 'schemaLocation');
    if (location === undefined && kind !== 'import')
      this.#addDiagnostic(element, `'${kind}' requires a schemaLocation.`);
    return {
      kind,
      location,
      namespace: kind === 'import' ? (findAttribute(element, 'namespace') ?? '') : this.#namespace,
      line: element.line,
      ...(kind === 'redefine' ? { redefined } : {}),
    };
  }

  /** Reads a top-level component; components without structure are ignored. */
  #readPart(element: XmlElement, scope: Scope, into: SchemaParts): void {
    if (!['element', 'complexType', 'simpleType', 'group', 'attributeGroup', 'attribute'].includes(element.local))
      return;
    const local = findAttribute(element, 'name');
    if (local === undefined || local === '') {
      this.#addDiagnostic(element, `'${element.local}' requires a name.`);
      return;
    }
    const name = { uri: this.#namespace, local };
    const key = toNameKey(name);
    switch (element.local) {
      case 'element':
        into.elements.set(key, this.#readElement(element, scope, name));
        return;
      case 'complexType':
        into.types.set(key, this.#readComplexType(element, scope));
        return;
      case 'simpleType':
        into.types.set(key, this.#readSimpleType(element, scope));
        return;
      case 'group':
        into.groups.set(key, this.#readModel(element, scope) ?? { kind: 'sequence', parts: [], ...once });
        return;
      case 'attributeGroup':
        into.attributeGroups.set(key, this.#readAttributes(element, scope));
        return;
      default:
        into.attributes.set(key, { name, ...this.#readAttributeType(element, scope) });
    }
  }

  #readElement(element: XmlElement, scope: Scope, name: ExpandedName): ElementDeclaration {
    const typeName = this.#resolveAttributeName(element, 'type', scope);
    const inline = listSchemaChildren(element).find(({ local }) => local === 'complexType' || local === 'simpleType');
    const type = typeName ?? (inline && this.#readInlineType(inline, readScope(inline, scope)));
    const heads = findAttribute(element, 'substitutionGroup')?.trim().split(/\s+/) ?? [];
    return {
      ...this.#getPosition(element),
      name,
      ...(type === undefined ? {} : { type }),
      substitutes: heads.flatMap((head) => this.#resolveName(element, head, scope) ?? []),
      isAbstract: isTrue(findAttribute(element, 'abstract')),
      isNillable: isTrue(findAttribute(element, 'nillable')),
    };
  }

  #readInlineType(element: XmlElement, scope: Scope): TypeDefinition {
    return element.local === 'complexType'
      ? this.#readComplexType(element, scope)
      : this.#readSimpleType(element, scope);
  }

  #readComplexType(element: XmlElement, scope: Scope): ComplexType {
    const derived = listSchemaChildren(element).find(
      ({ local }) => local === 'complexContent' || local === 'simpleContent',
    );
    const step =
      derived && listSchemaChildren(derived).find(({ local }) => local === 'extension' || local === 'restriction');
    if (derived !== undefined && step === undefined) {
      this.#addDiagnostic(derived, `'${derived.local}' requires an extension or a restriction.`);
    }
    const inner = derived === undefined ? scope : readScope(derived, scope);
    const body = step ?? element;
    const bodyScope = step === undefined ? inner : readScope(step, inner);
    const base = step && this.#resolveAttributeName(step, 'base', bodyScope);
    if (step !== undefined && base === undefined) this.#addDiagnostic(step, `'${step.local}' requires a base.`);
    const content = derived?.local === 'simpleContent' ? undefined : this.#readModel(body, bodyScope);
    return {
      ...this.#getPosition(element),
      kind: 'complex',
      ...(base === undefined ? {} : { base }),
      derivation: step?.local === 'extension' ? 'extension' : 'restriction',
      ...(content === undefined ? {} : { content }),
      attributes: this.#readAttributes(body, bodyScope),
    };
  }

  #readSimpleType(element: XmlElement, scope: Scope): SimpleType {
    const restriction = listSchemaChildren(element).find(({ local }) => local === 'restriction');
    const place = this.#getPosition(element);
    if (restriction === undefined) return { ...place, kind: 'simple' };
    const inner = readScope(restriction, scope);
    const inline = listSchemaChildren(restriction).find(({ local }) => local === 'simpleType');
    const base =
      this.#resolveAttributeName(restriction, 'base', inner) ??
      (inline && this.#readSimpleType(inline, readScope(inline, inner)));
    if (base === undefined) this.#addDiagnostic(restriction, "'restriction' requires a base.");
    return { ...place, kind: 'simple', ...(base === undefined ? {} : { base }) };
  }

  /** Reads the sequence, choice, all or group of an element. */
  #readModel(element: XmlElement, scope: Scope): Particle | undefined {
    for (const child of listSchemaChildren(element)) {
      const particle = child.local === 'element' ? undefined : this.#readParticle(child, readScope(child, scope));
      if (particle !== undefined) return particle;
    }
    return undefined;
  }

  #readParticle(element: XmlElement, scope: Scope): Particle | undefined {
    switch (element.local) {
      case 'sequence':
      case 'choice':
      case 'all': {
        const parts = listSchemaChildren(element).flatMap(
          (child) => this.#readParticle(child, readScope(child, scope)) ?? [],
        );
        return { kind: element.local, parts, ...this.#readOccurrence(element) };
      }
      case 'group': {
        const group = this.#resolveAttributeName(element, 'ref', scope);
        return group === undefined
          ? undefined
          : { kind: 'group', group, ...this.#getPosition(element), ...this.#readOccurrence(element) };
      }
      case 'element': {
        const reference = this.#resolveAttributeName(element, 'ref', scope);
        const occurrence = this.#readOccurrence(element);
        if (reference !== undefined) {
          return { kind: 'reference', element: reference, ...this.#getPosition(element), ...occurrence };
        }
        const local = findAttribute(element, 'name');
        if (local === undefined) {
          this.#addDiagnostic(element, "'element' requires a name or a ref.");
          return undefined;
        }
        const isQualified = isFormQualified(element, this.#qualifiesElements);
        const name = { uri: isQualified ? this.#namespace : '', local };
        return { kind: 'local', element: this.#readElement(element, scope, name), ...occurrence };
      }
      default:
        return undefined;
    }
  }

  #readOccurrence(element: XmlElement): Occurrence {
    const min = findAttribute(element, 'minOccurs')?.trim() ?? '1';
    const max = findAttribute(element, 'maxOccurs')?.trim() ?? '1';
    const isNumber = (text: string): boolean => /^\d{1,9}$/.test(text);
    if (!isNumber(min) || !(max === 'unbounded' || isNumber(max))) {
      this.#addDiagnostic(
        element,
        `minOccurs must be a number and maxOccurs a number or unbounded, not '${formatExcerpt(min)}' and '${formatExcerpt(max)}'.`,
      );
      return once;
    }
    return { min: Number(min), max: max === 'unbounded' ? Number.POSITIVE_INFINITY : Number(max) };
  }

  #readAttributes(element: XmlElement, scope: Scope): readonly AttributeUse[] {
    return listSchemaChildren(element).flatMap((child): readonly AttributeUse[] => {
      const inner = readScope(child, scope);
      if (child.local === 'attributeGroup') {
        const group = this.#resolveAttributeName(child, 'ref', inner);
        return group === undefined ? [] : [{ kind: 'group', group, ...this.#getPosition(child) }];
      }
      if (child.local !== 'attribute') return [];
      const written = findAttribute(child, 'use');
      const use = written === 'required' || written === 'prohibited' ? written : 'optional';
      const attribute = this.#resolveAttributeName(child, 'ref', inner);
      if (attribute !== undefined) return [{ kind: 'reference', attribute, use, ...this.#getPosition(child) }];
      const local = findAttribute(child, 'name');
      if (local === undefined) {
        this.#addDiagnostic(child, "'attribute' requires a name or a ref.");
        return [];
      }
      const isQualified = isFormQualified(child, this.#qualifiesAttributes);
      const name = { uri: isQualified ? this.#namespace : '', local };
      return [{ kind: 'local', name, use, ...this.#readAttributeType(child, inner), ...this.#getPosition(child) }];
    });
  }

  #readAttributeType(element: XmlElement, scope: Scope): { readonly type?: NameKey | SimpleType } {
    const inline = listSchemaChildren(element).find(({ local }) => local === 'simpleType');
    const type =
      this.#resolveAttributeName(element, 'type', scope) ??
      (inline && this.#readSimpleType(inline, readScope(inline, scope)));
    return type === undefined ? {} : { type };
  }

  #resolveAttributeName(element: XmlElement, attribute: string, scope: Scope): NameKey | undefined {
    const text = findAttribute(element, attribute)?.trim();
    if (text === undefined) return undefined;
    // Without a default namespace, the plain name of a built-in type cannot be another type unless it is declared here.
    const isBuiltIn =
      (attribute === 'type' || attribute === 'base') &&
      builtInTypes.has(text) &&
      (scope.get('') ?? '') === '' &&
      !listSchemaChildren(this.#root).some((each) => findAttribute(each, 'name') === text);
    return isBuiltIn ? toNameKey({ uri: XS, local: text }) : this.#resolveName(element, text, scope);
  }

  #resolveName(element: XmlElement, text: string, scope: Scope): NameKey | undefined {
    const [, prefix = '', local = ''] = /^(?:([^:\s{}]+):)?([^:\s{}]+)$/.exec(text) ?? [];
    const uri = scope.get(prefix) ?? (prefix === '' ? '' : usualPrefixes.get(prefix));
    if (local === '' || uri === undefined) {
      const reason = local === '' ? 'is not a valid name' : `has the undeclared prefix '${formatExcerpt(prefix)}'`;
      this.#addDiagnostic(element, `'${formatExcerpt(text)}' in '${element.local}' ${reason}.`);
      return undefined;
    }
    // A document without a namespace adopts that of the including document, also for its references.
    return toNameKey({ uri: uri === '' && this.#isChameleon ? this.#namespace : uri, local });
  }

  #getPosition(element: XmlElement): SourcePosition {
    return { file: this.#file, line: element.line };
  }

  #addDiagnostic(element: XmlElement, message: string): void {
    this.#complaints.add(this.#file, element.line, message);
  }
}

function listSchemaChildren(element: XmlElement): readonly XmlElement[] {
  return element.children.filter((child): child is XmlElement => child.kind === 'element' && child.uri === XS);
}

function findAttribute(element: XmlElement, name: string): string | undefined {
  return element.attributes.find(({ local, uri }) => local === name && uri === '')?.value;
}

function isTrue(text: string | undefined): boolean {
  return text?.trim() === 'true' || text?.trim() === '1';
}

function isFormQualified(element: XmlElement, byDefault: boolean): boolean {
  const form = findAttribute(element, 'form');
  return form === undefined ? byDefault : form === 'qualified';
}

function readScope(element: XmlElement, outer: Scope): Scope {
  const declared = element.attributes.filter(({ uri }) => uri === xmlnsNamespace);
  if (declared.length === 0) return outer;
  const scope = new Map(outer);
  for (const { name, local, value } of declared) scope.set(name === 'xmlns' ? '' : local, value);
  return scope;
}
