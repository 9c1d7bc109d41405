// All that a program which plays music needs: engine, files, outputs and sessions, with ``Stage`` on top.
@_exported import BarlineDSP
@_exported import BarlineEngine
@_exported import BarlineFiles
@_exported import BarlineOutputs
@_exported import BarlineSession
@_exported import BarlineTime
