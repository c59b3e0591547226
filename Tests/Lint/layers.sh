#!/usr/bin/env bash
# The lint of layers finds what is planted: a copy of the sources with one wrong line each.
lint='python3 Scripts/lint/layers.py' root=Sources folders=Sources
source "$(dirname "$0")/planted.sh"

plant Groot/Errors/GrootIssue.swift 'let upwards: JSONValue? = nil' 'Errors names JSONValue'
plant Groot/Graph/Graph.swift 'extension StoreCoordinator {}' 'Graph names StoreCoordinator'
plant Groot/Import/Importer.swift 'let context: ManagedObjectContext? = nil' 'names ManagedObjectContext'
plant Groot/Export/Exporter.swift 'let dialect = Mapping.Dialect.kvc' 'names a dialect'
plant Groot/Graph/Rows/Row.swift 'let log: UndoLog? = nil' 'Rows names UndoLog, which is of Changes'
plant Groot/Mapping/Dialects/KVC/KVCRule.swift 'let other: HyperDialect? = nil' \
  'Dialects/KVC names HyperDialect, which is of Dialects/Hyper'
plant Groot/Import/Importer.swift 'func put() { graph.tables[0].setPresence(field) }' \
  'only Graph writes a value of a row'
plant Groot/Context/Column.swift 'func at() { TextSlot.bytes(record) }' 'only Graph reads the bytes'
plant Groot/Store/Coordinator/StoreKeys.swift 'func mark() { header.pointee.marks = 1 }' \
  'only Graph sets a mark of a row'
plant Groot/Import/Report/IssueLog.swift 'let linker: Linker? = nil' 'Report names Linker, which is of'
plant Groot/Import/Importer.swift 'import CJansson' 'may import CJansson'
plant Groot/Store/Schema/StoreSchema.swift 'import CSQLite' 'may import CSQLite'
plant Groot/Values/Value.swift 'import Glibc' 'may import Glibc'
plant GrootC/Handle.swift 'import GrootFoundation' 'only nobody may import GrootFoundation'
finish
