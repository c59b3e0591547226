import Groot

// Objects decoded as a program's Decodable types.

extension ManagedObjectContext {
  /// Decodes an object as a type of the program, whose keys are names of properties.
  ///
  /// ```swift
  /// struct Summary: Decodable {
  ///   let name: String
  ///   let born: Date?
  ///   let publisher: Int64?    // its identifier
  ///   let powers: [PowerSummary]
  /// }
  /// let batman = try context.decode(Summary.self, from: hero)
  /// ```
  ///
  /// A conversion that is not exact fails. A member of a relationship is decoded as an object, or
  /// as its identifier. Decoding ends on every graph: an object inside itself, or beyond the depth,
  /// has only its identity, and is left out if it has none.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - object: The object, of this context.
  ///   - depth: The number of steps along relationships with objects in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: ``Status/missingValue``, ``Status/wrongType``; ``Status/limitExceeded`` for more
  ///   than 128 levels; ``Status/objectDeleted``; the error of the type is
  ///   ``GrootError/underlying``.
  public func decode<Content: Decodable>(
    _ type: Content.Type, from object: ManagedObject, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> Content {
    try checkAccess()
    return try decode(type, from: object, DecodingRun(self, depth: depth), userInfo)
  }

  /// Decodes an object as a type of the program.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - object: The object, of this context.
  ///   - depth: The number of steps along relationships with objects in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: as for a `ManagedObject`.
  public func decode<Content: Decodable>(
    _ type: Content.Type, from object: some Entity, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> Content {
    try decode(type, from: object.managedObject, depth: depth, userInfo: userInfo)
  }

  /// Decodes objects as a type of the program, one value each.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - objects: The objects, of this context.
  ///   - depth: The number of steps along relationships with objects in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: as for one object.
  public func decode<Content: Decodable>(
    _ type: Content.Type, from objects: some Sequence<ManagedObject>, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> [Content] {
    try checkAccess()
    let run = DecodingRun(self, depth: depth)
    var contents: [Content] = []
    for object in objects { contents.append(try decode(type, from: object, run, userInfo)) }
    return contents
  }

  /// Decodes objects as a type of the program, one value each.
  ///
  /// - Parameters:
  ///   - type: The type of the result.
  ///   - objects: The objects, of this context.
  ///   - depth: The number of steps along relationships with objects in full; nil means no limit.
  ///   - userInfo: The user info of the decoder, for the type.
  /// - Throws: as for one object.
  public func decode<Content: Decodable, Object: Entity>(
    _ type: Content.Type, from objects: some Sequence<Object>, depth: Int? = nil,
    userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(GrootError) -> [Content] {
    try decode(type, from: objects.map(\.managedObject), depth: depth, userInfo: userInfo)
  }

  private func decode<Content: Decodable>(
    _ type: Content.Type, from object: ManagedObject, _ run: DecodingRun,
    _ userInfo: [CodingUserInfoKey: Any]
  ) throws(GrootError) -> Content {
    try requireOwn(object)
    let entity = try entity(of: object.id).name
    do {
      let node = DecodedNode.object(try run.begin(object.id))
      return try NodeDecoder(node, userInfo: userInfo).content(type)
    } catch {
      throw GrootError(coding: error, entity: entity)
    }
  }
}

extension ManagedObject {
  /// Decodes the object as a type of the program, whose keys are names of properties.
  ///
  /// - Throws: as ``ManagedObjectContext/decode(_:from:depth:userInfo:)``.
  public func decode<Content: Decodable>(
    as type: Content.Type = Content.self, depth: Int? = nil
  ) throws(GrootError) -> Content {
    try context.decode(type, from: self, depth: depth)
  }
}
