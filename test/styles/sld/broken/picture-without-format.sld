<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>a</Name>
    <UserStyle>
      <Title>b</Title>
      <FeatureTypeStyle>
        <Rule>
          <PointSymbolizer>
            <Graphic>
              <ExternalGraphic><!--! 'Format' is missing in ExternalGraphic -->
                <OnlineResource href=""/><!--! the attribute 'xlink:href' is missing or empty on OnlineResource -->
              </ExternalGraphic>
              <ExternalGraphic><!--! 'OnlineResource' or 'InlineContent' is missing in ExternalGraphic -->
                <Format>image/png</Format>
              </ExternalGraphic>
              <ExternalGraphic>
                <InlineContent encoding="hex">00</InlineContent><!--! the encoding is 'hex', but base64 or xml was expected -->
                <Format>image/png</Format>
              </ExternalGraphic>
              <ExternalGraphic>
                <InlineContent encoding="base64">not base64!</InlineContent><!--! the content of InlineContent is not valid base64 -->
                <Format>image/png</Format>
              </ExternalGraphic>
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
