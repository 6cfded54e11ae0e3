<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>zones</se:Name>
    <UserStyle>
      <se:Name>zones_style</se:Name>
      <se:Description>
        <se:Title>Filters with geometries of GML 3</se:Title>
      </se:Description>
      <se:FeatureTypeStyle>
        <se:Rule>
          <ogc:Filter>
            <ogc:Or>
              <ogc:BBOX>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
                  <gml:lowerCorner>47 10</gml:lowerCorner>
                  <gml:upperCorner>48.5 12</gml:upperCorner>
                </gml:Envelope>
              </ogc:BBOX>
              <ogc:Within>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:MultiSurface>
                  <gml:surfaceMember>
                    <gml:Polygon>
                      <gml:exterior>
                        <gml:LinearRing><gml:posList srsDimension="2">0 0 4 0 4 4 0 0</gml:posList></gml:LinearRing>
                      </gml:exterior>
                    </gml:Polygon>
                  </gml:surfaceMember>
                  <gml:surfaceMember>
                    <gml:Surface>
                      <gml:patches>
                        <gml:PolygonPatch>
                          <gml:exterior>
                            <gml:LinearRing>
                              <gml:pos>5 5</gml:pos><gml:pos>6 5</gml:pos><gml:pos>6 6</gml:pos><gml:pos>5 5</gml:pos>
                            </gml:LinearRing>
                          </gml:exterior>
                        </gml:PolygonPatch>
                      </gml:patches>
                    </gml:Surface>
                  </gml:surfaceMember>
                </gml:MultiSurface>
              </ogc:Within>
              <ogc:Crosses>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Curve>
                  <gml:segments>
                    <gml:LineStringSegment><gml:posList>0 0 1 1</gml:posList></gml:LineStringSegment>
                    <gml:LineStringSegment><gml:posList>1 1 2 0</gml:posList></gml:LineStringSegment>
                  </gml:segments>
                </gml:Curve>
              </ogc:Crosses>
              <ogc:Beyond>
                <ogc:Function name="centroid"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function>
                <gml:MultiPoint>
                  <gml:pointMember><gml:Point><gml:pos>1 2 3</gml:pos></gml:Point></gml:pointMember>
                </gml:MultiPoint>
                <ogc:Distance units="m">1000</ogc:Distance>
              </ogc:Beyond>
            </ogc:Or>
          </ogc:Filter>
          <se:PolygonSymbolizer>
            <se:Fill><se:SvgParameter name="fill">#FEFCBF</se:SvgParameter></se:Fill>
          </se:PolygonSymbolizer>
        </se:Rule>
        <se:Rule>
          <ogc:Filter>
            <ogc:GmlObjectId gml:id="zone.12"/>
          </ogc:Filter>
          <se:LineSymbolizer><se:Stroke/></se:LineSymbolizer>
        </se:Rule>
        <se:Rule>
          <se:ElseFilter/>
          <se:PolygonSymbolizer/>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
