<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>shelters</Name>
    <UserStyle>
      <Title>Shelters
        <Localized lang="de">Schutzhütten</Localized>
        <Localized lang="fr">Abris</Localized>
      </Title>
      <Abstract>Open all year<Localized lang="de">Ganzjährig geöffnet</Localized></Abstract>
      <FeatureTypeStyle>
        <Rule>
          <Title>Shelter<Localized lang="it">Rifugio</Localized></Title>
          <PointSymbolizer>
            <Graphic><Mark><WellKnownName>triangle</WellKnownName><Fill/></Mark></Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
