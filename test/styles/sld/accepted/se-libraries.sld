<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <se:Name>atlas</se:Name>
  <se:Description>
    <se:Title>Pages of the atlas</se:Title>
    <se:Abstract>Styles from elsewhere and from here</se:Abstract>
  </se:Description>
  <UseSLDLibrary>
    <se:OnlineResource xlink:type="simple" xlink:href="https://example.org/library.sld"/>
  </UseSLDLibrary>
  <NamedLayer>
    <se:Name>land</se:Name>
    <se:Description><se:Title>Land</se:Title></se:Description>
    <NamedStyle>
      <se:Name>grey</se:Name>
      <se:Description><se:Title>In grey</se:Title></se:Description>
    </NamedStyle>
  </NamedLayer>
  <UserLayer>
    <se:Name>imagery</se:Name>
    <RemoteOWS>
      <Service>WCS</Service>
      <se:OnlineResource xlink:type="simple" xlink:href="https://example.org/wcs?"/>
    </RemoteOWS>
    <LayerCoverageConstraints>
      <CoverageConstraint>
        <se:CoverageName>scene</se:CoverageName>
      </CoverageConstraint>
    </LayerCoverageConstraints>
    <UserStyle>
      <se:Name>shared</se:Name>
      <se:FeatureTypeStyle>
        <se:OnlineResource xlink:type="simple" xlink:href="https://example.org/rules.xml"/>
        <se:Rule>
          <se:LineSymbolizer>
            <se:BaseSymbolizer>
              <se:OnlineResource xlink:type="simple" xlink:href="https://example.org/line.xml"/>
            </se:BaseSymbolizer>
          </se:LineSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
      <se:OnlineResource xlink:type="simple" xlink:href="https://example.org/style.xml"/>
    </UserStyle>
  </UserLayer>
</StyledLayerDescriptor>
