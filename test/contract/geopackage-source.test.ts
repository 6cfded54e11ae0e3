/** Runs the contract of vector sources over a GeoPackage that the driver made itself. */
import { openGeopackage } from '../support/geopackages.ts';
import { geopackageWithSquares } from './geopackage-with-squares.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

vectorSourceContract('a GeoPackage', () => geopackageWithSquares(openGeopackage));
