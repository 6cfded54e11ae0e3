/**
 * The table of all functions: signatures and documentation. Evaluation, the capabilities of WFS, the functions of OGC
 * API and the documentation follow from it.
 */

export type FunctionType = 'any' | 'text' | 'number' | 'boolean' | 'time' | 'geometry';

export interface FunctionArgument {
  readonly name: string;
  readonly type: FunctionType;
  readonly isOptional: boolean;
  /** Whether it can be repeated; only the last argument can. */
  readonly isRepeated: boolean;
}

export interface FunctionDescription {
  /** In its usual case; names are compared in any case. */
  readonly name: string;
  readonly arguments: readonly FunctionArgument[];
  readonly result: FunctionType;
  readonly description: string;
  readonly group: string;
}

/** `name(argument: type, optional?: type, repeated…: type): type`, and a sentence. */
type Row = readonly [signature: string, description: string];

const tables: Readonly<Record<string, readonly Row[]>> = {
  Comparison: [
    ['between(value: any, lower: any, upper: any): boolean', 'Whether the value is in the range, limits included.'],
    ['equalTo(a: any, b: any): boolean', 'Whether both values are equal.'],
    ['notEqualTo(a: any, b: any): boolean', 'Whether the values differ.'],
    ['greaterThan(a: any, b: any): boolean', 'Whether a is greater than b.'],
    ['greaterEqualThan(a: any, b: any): boolean', 'Whether a is greater than or equal to b.'],
    ['lessThan(a: any, b: any): boolean', 'Whether a is less than b.'],
    ['lessEqualThan(a: any, b: any): boolean', 'Whether a is less than or equal to b.'],
    ['isNull(value: any): boolean', 'Whether the value is null.'],
    ['not(condition: boolean): boolean', 'The opposite of the condition.'],
    ['in(value: any, list…: any): boolean', 'Whether the value is in the list.'],
    ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map(
      (count): Row => [`in${count}(value: any, list…: any): boolean`, 'The same as `in`.'],
    ),
    ['isLike(value: text, pattern: text): boolean', 'Whether the whole text matches a regular expression.'],
  ],
  'Decisions and features': [
    ['if_then_else(condition: boolean, yes: any, no: any): any', 'One of two values; null counts as no.'],
    ['coalesce(values…: any): any', 'The first value that is not null.'],
    ['env(name: text, default?: any): any', 'The value of a variable of the request.'],
    ['property(name: text): any', 'The value of an attribute by its name.'],
    ['PropertyExists(name: text): boolean', 'Whether the feature has an attribute of this name.'],
    ['id(): text', 'The identifier of the feature.'],
    ['isCoverage(): boolean', 'Whether a raster is drawn.'],
    ['language(): text', 'The language of the request; null without one.'],
    ['mapGet(map: text, key: text): any', 'The value of a key in a JSON object.'],
    ['jsonPointer(json: text, pointer: text): any', 'The value at a JSON Pointer such as `/a/0`.'],
    ['jsonArrayContains(json: text, pointer: text, value: any): boolean', 'Whether an array contains a value.'],
  ],
  Lists: [
    ['list(values…: any): text', 'A list of at most 100 values, as a JSON array.'],
    ['litem(list: text, index: number): any', 'An item of a list, counted from 0.'],
    [
      'lapply(list: text, expression: any): text',
      "The list of the values of an expression for each item, which `property('.')` returns.",
    ],
    ['attributeCount(value: any): number', 'The number of values: 0 for null, and the number of items of a list.'],
  ],
  Rasters: [
    [
      'gridCoverageStats(statistic: text): number',
      'The `minimum`, `maximum`, `mean` or `stddev` of the first band, in styles of rasters: of at most 250,000 cells, spread evenly.',
    ],
    ['bandStats(band: number, statistic: text): number', 'The same of another band, counted from 0.'],
    [
      'colormap(colors: text, minimum?: number, maximum?: number): text',
      'The colours of `ras:DynamicColorMap` with their range, such as `#0000FF;#FF0000[0,100]`.',
    ],
  ],
  'Other layers': [
    [
      'querySingle(layer: text, attribute: text, filter: text): any',
      'The value of an attribute of the first feature of another layer that matches an ECQL filter; null without one. The arguments are constant.',
    ],
    [
      'queryCollection(layer: text, attribute: text, filter: text): any',
      'The values of all matching features as a list, for `IN`, `in` and `collectGeometries`. The arguments are constant.',
    ],
    ['collectGeometries(geometries: any): geometry', 'One geometry from the geometries of `queryCollection`.'],
  ],
  Classification: [
    ['Recode(value: any, pairs…: any): any', 'The value after the first equal key, or null.'],
    [
      'Categorize(value: any, class: any, thresholdsAndClasses…: any): any',
      'The class of a value. A value equal to a threshold belongs to the following class, or with the last argument `preceding` to the previous one.',
    ],
    [
      'Interpolate(value: number, points…: any): any',
      'A value between points; constant beyond the first and the last. The last arguments may be `numeric` or `color`, and `linear`, `cosine` or `cubic`.',
    ],
  ],
  'Spatial predicates': [
    ['contains(a: geometry, b: geometry): boolean', 'Whether a contains b.'],
    ['crosses(a: geometry, b: geometry): boolean', 'Whether the geometries cross.'],
    ['disjoint(a: geometry, b: geometry): boolean', 'Whether the geometries have no position in common.'],
    ['equalsExact(a: geometry, b: geometry): boolean', 'Whether all positions are equal, in their order.'],
    [
      'equalsExactTolerance(a: geometry, b: geometry, tolerance: number): boolean',
      'The same with a tolerance in the units of the data.',
    ],
    ['intersects(a: geometry, b: geometry): boolean', 'Whether the geometries have a position in common.'],
    ['isWithinDistance(a: geometry, b: geometry, distance: number): boolean', 'Whether the distance is not exceeded.'],
    ['overlaps(a: geometry, b: geometry): boolean', 'Whether the geometries overlap.'],
    ['relate(a: geometry, b: geometry): text', 'The intersection matrix of nine characters.'],
    ['relatePattern(a: geometry, b: geometry, pattern: text): boolean', 'Whether the matrix matches a pattern.'],
    ['touches(a: geometry, b: geometry): boolean', 'Whether only the boundaries touch.'],
    ['within(a: geometry, b: geometry): boolean', 'Whether a is within b.'],
  ],
  'Geometries from geometries': [
    ['boundary(geometry: geometry): geometry', 'The rings of polygons, the ends of lines.'],
    ['buffer(geometry: geometry, distance: number): geometry', 'The area within a distance in the units of the data.'],
    [
      'bufferWithSegments(geometry: geometry, distance: number, segments: number): geometry',
      'The same with so many segments for a quarter of a circle.',
    ],
    ['centroid(geometry: geometry): geometry', 'The centre of gravity, which may be outside.'],
    ['convexHull(geometry: geometry): geometry', 'The smallest convex polygon.'],
    ['densify(geometry: geometry, distance: number): geometry', 'No segment is longer than the distance.'],
    ['difference(a: geometry, b: geometry): geometry', 'The part of a outside b.'],
    ['endPoint(line: geometry): geometry', 'The last position.'],
    ['envelope(geometry: geometry): geometry', 'The bounding box.'],
    ['exteriorRing(polygon: geometry): geometry', 'The outer ring as a line.'],
    ['geometry(): geometry', 'The default geometry of the feature.'],
    ['geomFromWKT(wkt: text): geometry', 'The geometry of well-known text.'],
    ['getGeometryN(geometry: geometry, index: number): geometry', 'A part of a geometry, counted from 0.'],
    ['interiorPoint(geometry: geometry): geometry', 'A point inside.'],
    ['interiorRingN(polygon: geometry, index: number): geometry', 'A hole as a line, counted from 0.'],
    ['intersection(a: geometry, b: geometry): geometry', 'The common part.'],
    ['isometric(geometry: geometry, height: number): geometry', 'A parallelogram of this height for each edge.'],
    ['labelPoint(polygon: geometry, tolerance?: number): geometry', 'A point inside, suitable for a label.'],
    ['minCircle(geometry: geometry): geometry', 'The smallest circle around it.'],
    ['minimumDiameter(geometry: geometry): geometry', 'The line across its narrowest width.'],
    ['minRectangle(geometry: geometry): geometry', 'The smallest rectangle around it, in any direction.'],
    ['octagonalEnvelope(geometry: geometry): geometry', 'The bounding octagon.'],
    ['offset(geometry: geometry, x: number, y: number): geometry', 'The geometry moved by x and y.'],
    ['pointN(line: geometry, index: number): geometry', 'A position, counted from 0.'],
    [
      'reproject(geometry: geometry, crs: text, from?: text): geometry',
      'The geometry in another CRS, such as `EPSG:3857`, x before y. `from` is the CRS of the geometry, by default that of the data. Both are constant.',
    ],
    [
      'simplify(geometry: geometry, distance: number): geometry',
      'Without positions closer to the line than the distance.',
    ],
    ['startPoint(line: geometry): geometry', 'The first position.'],
    ['symDifference(a: geometry, b: geometry): geometry', 'The parts that are in only one of both.'],
    ['union(a: geometry, b: geometry): geometry', 'Both together.'],
    ['vertices(geometry: geometry): geometry', 'All positions as points.'],
  ],
  'Values of geometries': [
    ['area(geometry: geometry): number', 'The area in the square units of the data.'],
    ['area2(geometry: geometry): number', 'The same as `area`.'],
    ['boundaryDimension(geometry: geometry): number', 'The dimension of the boundary; -1 without one.'],
    ['dimension(geometry: geometry): number', '0 for points, 1 for lines, 2 for polygons.'],
    ['distance(a: geometry, b: geometry): number', 'The shortest distance.'],
    ['endAngle(line: geometry): number', 'The angle of the last segment in degrees, clockwise, 0 to the right.'],
    ['geometryType(geometry: geometry): text', 'The type, such as `MultiPolygon`.'],
    ['geomLength(geometry: geometry): number', 'The length of lines or rings.'],
    ['length(geometry: geometry): number', 'The same as `geomLength`.'],
    ['getX(point: geometry): number', 'The x ordinate of a point.'],
    ['getY(point: geometry): number', 'The y ordinate of a point.'],
    ['getZ(point: geometry): number', 'The z ordinate of a point.'],
    ['isClosed(line: geometry): boolean', 'Whether lines end where they start.'],
    ['isEmpty(geometry: geometry): boolean', 'Whether there is no position.'],
    ['isRing(line: geometry): boolean', 'Whether a line is closed and simple.'],
    ['isSimple(geometry: geometry): boolean', 'Whether it does not cross itself.'],
    ['isValid(geometry: geometry): boolean', 'Whether it is valid.'],
    ['numGeometries(geometry: geometry): number', 'The number of parts.'],
    ['numInteriorRing(polygon: geometry): number', 'The number of holes.'],
    ['numPoint(geometry: geometry): number', 'The number of positions.'],
    ['numPoints(geometry: geometry): number', 'The same as `numPoint`.'],
    ['startAngle(line: geometry): number', 'The angle of the first segment in degrees, clockwise, 0 to the right.'],
    ['toWKT(geometry: geometry): text', 'The well-known text.'],
  ],
  Numbers: [
    ...['abs', 'abs_2', 'abs_3', 'abs_4'].map((name): Row => [`${name}(x: number): number`, 'The absolute value.']),
    ['acos(x: number): number', 'The arc cosine in radians.'],
    ['asin(x: number): number', 'The arc sine in radians.'],
    ['atan(x: number): number', 'The arc tangent in radians.'],
    ['atan2(y: number, x: number): number', 'The angle of a point in radians.'],
    ['ceil(x: number): number', 'Rounds up.'],
    ['cos(x: number): number', 'The cosine of radians.'],
    ['div(a: number, b: number): number', 'The whole part of a division.'],
    ['double2bool(x: number): boolean', 'Whether the number is not 0.'],
    ['exp(x: number): number', 'The exponential.'],
    ['floor(x: number): number', 'Rounds down.'],
    ['IEEERemainder(a: number, b: number): number', 'The remainder of a division rounded to the nearest integer.'],
    ['int2bbool(x: number): boolean', 'Whether the number is not 0.'],
    ['int2ddouble(x: number): number', 'The number itself.'],
    ['log(x: number): number', 'The natural logarithm.'],
    ...['max', 'max_2', 'max_3', 'max_4'].map((name): Row => [`${name}(values…: number): number`, 'The largest.']),
    ...['min', 'min_2', 'min_3', 'min_4'].map((name): Row => [`${name}(values…: number): number`, 'The smallest.']),
    ['modulo(a: number, b: number): number', 'The remainder of a division.'],
    ['pi(): number', 'The number pi.'],
    ['pow(x: number, exponent: number): number', 'A power.'],
    ['random(): number', 'A random number from 0 to 1.'],
    ['rint(x: number): number', 'Rounds, halves to even.'],
    ...['round', 'round_2', 'roundDouble'].map((name): Row => [`${name}(x: number): number`, 'Rounds, halves up.']),
    ['sin(x: number): number', 'The sine of radians.'],
    ['sqrt(x: number): number', 'The square root.'],
    ['tan(x: number): number', 'The tangent of radians.'],
    [
      'toDirection(degrees: number, points?: number): text',
      'The compass point of an angle, clockwise from north, such as `NNE`; one of 16 points, or of 4 or 8.',
    ],
    ['toDegrees(x: number): number', 'Converts radians to degrees.'],
    ['toRadians(x: number): number', 'Converts degrees to radians.'],
  ],
  Text: [
    ['casei(text: text): text', 'Text for comparisons that ignore case.'],
    ['ChangeCase(text: text, direction?: text): text', 'Upper case, or lower case with `tolower`.'],
    ['Concatenate(texts…: text): text', 'Joins texts; null is empty.'],
    ['concat(texts…: text): text', 'The same as `Concatenate`.'],
    [
      'strAbbreviate(text: text, lower: number, upper: number, tail: text): text',
      'Cuts at the end of a word between two lengths.',
    ],
    ['strCapitalize(text: text): text', 'Words start with a capital letter.'],
    ['strConcat(texts…: text): text', 'The same as `Concatenate`.'],
    ['strDefaultIfBlank(text: text, default: text): text', 'The default for null and blank text.'],
    ['strEndsWith(text: text, part: text): boolean', 'Whether the text ends with a part.'],
    ['strEqualsIgnoreCase(a: text, b: text): boolean', 'Whether both are equal in any case.'],
    ['strIndexOf(text: text, part: text): number', 'The first position of a part from 0; -1 if it is absent.'],
    ['strLastIndexOf(text: text, part: text): number', 'The last position of a part.'],
    ['strLength(text: text): number', 'The number of characters.'],
    ['StringLength(text: text): number', 'The same as `strLength`.'],
    ['strMatches(text: text, pattern: text): boolean', 'Whether the whole text matches a regular expression.'],
    [
      'strPosition(part: text, text: text, direction?: text): number',
      'The position of a part from 1; 0 if it is absent.',
    ],
    ['StringPosition(part: text, text: text, direction?: text): number', 'The same as `strPosition`.'],
    [
      'strReplace(text: text, pattern: text, replacement: text, all?: boolean): text',
      'Replaces the first or all matches of a regular expression; `$1` is its first group.',
    ],
    [
      'stringTemplate(text: text, pattern: text, template: text, default?: text): text',
      'The template with the groups of a regular expression that matches the whole text: `${0}` is the text, `${1}` the first group. The default for other texts.',
    ],
    ['strStartsWith(text: text, part: text): boolean', 'Whether the text starts with a part.'],
    ['strStripAccents(text: text): text', 'Without accents.'],
    ['strSubstring(text: text, from: number, to: number): text', 'A part, counted from 0, without the end.'],
    ['strSubstringStart(text: text, from: number): text', 'The text from a position, counted from 0.'],
    ['Substring(text: text, position?: number, length?: number): text', 'A part, counted from 1.'],
    ['strToLowerCase(text: text): text', 'Lower case.'],
    ['strToUpperCase(text: text): text', 'Upper case.'],
    ['strTrim(text: text): text', 'Without spaces at both ends.'],
    [
      'strTrim2(text: text, where?: text, character?: text): text',
      'Without a character at `leading`, `trailing` or `both` ends.',
    ],
    ['Trim(text: text, where?: text, character?: text): text', 'The same as `strTrim2`.'],
    ['strURLEncode(text: text): text', 'Encoded for a part of a URL.'],
  ],
  Formats: [
    ['dateFormat(pattern: text, time: time): text', 'Formats a time with the letters of Java, in UTC.'],
    ['dateParse(pattern: text, text: text): time', 'Parses a time.'],
    ['FormatDate(time: time, pattern: text): text', 'The same as `dateFormat`.'],
    [
      'FormatNumber(value: number, pattern: text, negativePattern?: text, grouping?: text, point?: text): text',
      'Formats a number.',
    ],
    [
      'numberFormat(pattern: text, value: number, locale?: text): text',
      'Formats a number with a pattern such as `#,##0.00`.',
    ],
    ['parseBoolean(text: text): boolean', 'Converts to true or false.'],
    ['parseDouble(text: text): number', 'Converts to a number.'],
    ['parseInt(text: text): number', 'Converts to a whole number.'],
    ['parseLong(text: text): number', 'The same as `parseInt`.'],
  ],
  Time: [
    ['now(): time', 'The current time.'],
    ['dateDifference(a: time, b: time, unit?: text): number', 'a - b in milliseconds, or in `s`, `m`, `h` or `d`.'],
  ],
  Colours: [
    ['lighten(color: text, share: number): text', 'A lighter colour.'],
    ['darken(color: text, share: number): text', 'A darker colour.'],
    ['saturate(color: text, share: number): text', 'A more saturated colour.'],
    ['desaturate(color: text, share: number): text', 'A less saturated colour.'],
    ['spin(color: text, degrees: number): text', 'The hue turned by an angle.'],
    ['grayscale(color: text): text', 'The grey of the same lightness.'],
    ['mix(a: text, b: text, share: number): text', 'A mixture with this share of a.'],
    ['tint(color: text, share: number): text', 'A mixture with white.'],
    ['shade(color: text, share: number): text', 'A mixture with black.'],
    ['hsl(hue: number, saturation: number, lightness: number): text', 'A colour by hue, saturation and lightness.'],
  ],
};

export const functionTable: readonly FunctionDescription[] = Object.entries(tables).flatMap(([group, rows]) =>
  rows.map(([signature, description]) => ({ ...parseSignature(signature), description, group })),
);

function parseSignature(signature: string): Pick<FunctionDescription, 'name' | 'arguments' | 'result'> {
  const [, name = '', list = '', result = 'any'] = /^(\w+)\((.*)\): (\w+)$/.exec(signature) ?? [];
  const given = list === '' ? [] : list.split(', ');
  return {
    name,
    result: result as FunctionType,
    arguments: given.map((each) => {
      const [, argument = '', mark = '', type = 'any'] = /^(\w+)([?…]?): (\w+)$/.exec(each) ?? [];
      return { name: argument, type: type as FunctionType, isOptional: mark === '?', isRepeated: mark === '…' };
    }),
  };
}
