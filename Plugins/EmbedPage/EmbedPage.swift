import Foundation
import PackagePlugin

/// Makes a Swift file of the files in a target's folders `Page` and `Embedded`.
@main
struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let folders = ["Page", "Embedded"].map { target.directoryURL.appending(path: $0, directoryHint: .isDirectory) }
        let inputs = folders.flatMap { folder in
            let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return names.sorted().map { folder.appending(path: $0) }
        }
        return [
            .buildCommand(
                displayName: "Embedding the page", executable: try context.tool(named: "PageEmbedder").url,
                arguments: [output.path] + folders.map(\.path), inputFiles: inputs, outputFiles: [output])
        ]
    }
}
