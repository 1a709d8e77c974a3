// Packs the extension: a .vsix is an archive with the extension in a folder and two descriptions beside it. Made here because the usual packer brings
// a hundred packages along.

import { readFileSync, writeFileSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";

const about = JSON.parse(readFileSync("package.json", "utf8"));
const files = ["package.json", "README.md", "language-configuration.json", "syntaxes/ansatz.tmLanguage.json", "dist/extension.js"];

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${about.name}" Version="${about.version}" Publisher="${about.publisher}"/>
    <DisplayName>${about.displayName}</DisplayName>
    <Description xml:space="preserve">${about.description}</Description>
    <Categories>${about.categories.join(",")}</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${about.engines.vscode}"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/><Default Extension="md" ContentType="text/markdown"/>
  <Default Extension="js" ContentType="application/javascript"/><Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
`;

const entries = [["extension.vsixmanifest", Buffer.from(manifest)], ["[Content_Types].xml", Buffer.from(types)], ...files.map((file) => [`extension/${file}`, readFileSync(file)])];
writeFileSync("ansatz.vsix", zip(entries));
console.log("ansatz.vsix");

/// An archive without times, so that the same files give the same bytes.
function zip(entries) {
  const [bodies, list] = [[], []];
  let offset = 0;
  for (const [name, content] of entries) {
    const packed = deflateRawSync(content, { level: 9 });
    // Version, flags, method (deflate), time and date (1980), checksum, sizes, length of the name, no extra field.
    const common = Buffer.alloc(26);
    [[20, 2], [0, 2], [8, 2], [0, 2], [33, 2], [crc32(content), 4], [packed.length, 4], [content.length, 4], [Buffer.byteLength(name), 2], [0, 2]].reduce((at, [value, size]) => common.writeUIntLE(value, at, size), 0);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, Buffer.alloc(14), Buffer.from(name)]);
    entry.writeUInt32LE(offset, 42);
    bodies.push(local);
    list.push(entry);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  [[0, 2], [0, 2], [entries.length, 2], [entries.length, 2], [directory.length, 4], [offset, 4]].reduce((at, [value, size]) => end.writeUIntLE(value, at, size), 4);
  return Buffer.concat([...bodies, directory, end]);
}
